/**
 * Reads the settings of tests that surprise a newcomer: tests that are left out, warnings that fail a test, helpers and
 * servers that the tests use. Pure.
 */
import { at, isObject, tableAt, tryParse } from "../base/Json.ts"
import { code, join } from "./internal/ProjectStatements.ts"
import * as PythonProject from "./internal/PythonProject.ts"

/** The files that pytest looks for, the one that it prefers first. It reads only the first that has settings for it. */
const PYTEST_FILES = [
  "pytest.toml",
  ".pytest.toml",
  "pytest.ini",
  ".pytest.ini",
  "pyproject.toml",
  "tox.ini",
  "setup.cfg",
] as const

type Setting = (key: string) => ReadonlyArray<string>

/** Returns the file that pytest reads of those at the root; undefined if none has settings for it. */
export const pytestFile = (texts: ReadonlyMap<string, string>): string | undefined =>
  PYTEST_FILES.find((path) => {
    const text = texts.get(path)
    return text !== undefined && pytestSettings(path, text) !== undefined
  })

/** Returns what the settings of pytest in a file say, as sentences. */
export const ofPytest = (path: string, text: string): ReadonlyArray<string> => {
  const setting = pytestSettings(path, text)
  if (setting === undefined) return []
  const options = wordsOf(setting("addopts").join(" "))
  const filters = setting("filterwarnings")
  const selected = selections(options)
  const markers = setting("markers").flatMap((line) => /^[A-Za-z_]\w*/.exec(line)?.[0] ?? [])
  const further = markers.filter((name) => !selected.some((sentence) => sentence.includes(code(name))))
  const folders = setting("testpaths").flatMap((line) => line.split(/\s+/))
  return [
    // The commands say it of `pyproject.toml`.
    ...(folders.length === 0 || path === "pyproject.toml" ? [] : [`\`pytest\` looks for tests in ${list(folders)}.`]),
    ...selected,
    ...(filters.includes("error") && !filters.some((filter) => /^(?:ignore|default|once|always)$/.test(filter))
      ? [
          filters.length === 1
            ? "A warning fails a test (`filterwarnings`)."
            : "A warning fails a test, unless `filterwarnings` lists it.",
        ]
      : options.some((option, at) => option === "error" && options[at - 1] === "-W")
        ? ["A warning fails a test (`-W error` in `addopts`)."]
        : []),
    ...FLAGS.flatMap(({ flag, says }) => (options.some((option) => flag.test(option)) ? [says] : [])),
    ...parallel(options),
    ...(setting("asyncio_mode").includes("auto")
      ? ["An `async` test needs no marker (`asyncio_mode` is `auto`)."]
      : []),
    ...(setting("xfail_strict").some((value) => /^true$/i.test(value))
      ? ["A test that is expected to fail and passes is a failure (`xfail_strict`)."]
      : []),
    ...(further.length === 0 ? [] : [`Tests can be marked with ${list(further)}.`]),
  ]
}

const FLAGS = [
  { flag: /^--doctest-modules$/, says: "The examples in docstrings are tests too (`--doctest-modules`)." },
  { flag: /^(?:-x|--exitfirst)$/, says: "A test run ends at the first failure (`-x` in `addopts`)." },
  {
    flag: /^--cov-fail-under=\d/,
    says: "A test run fails if too little is covered (`--cov-fail-under` in `addopts`).",
  },
]

/** The most names of a list. */
const MAX_NAMES = 6

const list = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, MAX_NAMES).map(code)
  return names.length > shown.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : join(shown)
}

/** Says which tests the options select or leave out. */
const selections = (options: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...valuesOf(options, "-m").map((expression) => {
    const names = /^not \w+(?: and not \w+)*$/.test(expression)
      ? expression.split(" and ").map((each) => code(each.slice("not ".length)))
      : []
    const shown = code(`-m '${expression}'`)
    return names.length === 0
      ? `\`pytest\` runs only the tests that ${shown} in \`addopts\` selects.`
      : `\`pytest\` leaves out the tests that are marked ${names.join(" or ")} (${shown} in \`addopts\`).`
  }),
  ...valuesOf(options, "-k").map(
    (expression) => `\`pytest\` runs only the tests that ${code(`-k '${expression}'`)} in \`addopts\` selects.`,
  ),
  ...[valuesOf(options, "--ignore")].flatMap((ignored) =>
    ignored.length === 0 ? [] : [`\`pytest\` leaves out ${list(ignored)} (\`--ignore\` in \`addopts\`).`],
  ),
]

const parallel = (options: ReadonlyArray<string>): ReadonlyArray<string> => {
  const value = [
    ...valuesOf(options, "-n"),
    ...valuesOf(options, "--numprocesses"),
    ...options.flatMap((option) => /^-n(\w+)$/.exec(option)?.[1] ?? []),
  ].at(-1)
  return value === undefined || value === "0" ? [] : [`Tests run in parallel (${code(`-n ${value}`)} in \`addopts\`).`]
}

const valuesOf = (options: ReadonlyArray<string>, name: string): ReadonlyArray<string> =>
  options.flatMap((option, at) =>
    option === name ? (options[at + 1] ?? []) : option.startsWith(`${name}=`) ? option.slice(name.length + 1) : [],
  )

/** Divides options as a shell does. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g), ([word]) => word.replaceAll(/["']/g, ""))

/** Returns what looks a setting up in a file; undefined if it has none for pytest. */
const pytestSettings = (path: string, text: string): Setting | undefined => {
  if (path.endsWith(".toml")) {
    const manifest = PythonProject.tomlOf(text)
    const table = path === "pyproject.toml" ? at(manifest, "tool", "pytest") : (at(manifest, "pytest") ?? manifest)
    const settings = path === "pyproject.toml" ? (at(table, "ini_options") ?? table) : table
    return isObject(settings) ? (key) => textsOf(settings[key], key) : undefined
  }
  const section = PythonProject.iniSection(text, path === "setup.cfg" ? "tool:pytest" : "pytest")
  if (section === undefined) return path.endsWith("pytest.ini") ? () => [] : undefined
  return (key) => section.get(key) ?? []
}

/** Returns the lines of a setting in TOML; an array may hold options with their values in one or in two strings. */
const textsOf = (value: unknown, key: string): ReadonlyArray<string> => {
  if (typeof value === "boolean") return [String(value)]
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [value]
  return texts.flatMap((text) => {
    if (typeof text !== "string") return []
    // A string of an array is one option, though it may have spaces.
    if (key === "addopts" && Array.isArray(value) && /^[^-].*\s/.test(text)) return [`'${text.replaceAll("'", '"')}'`]
    return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
  })
}

const FAILURES = [
  { name: "failOnWarning", what: "a warning" },
  { name: "failOnRisky", what: "a risky test" },
  { name: "failOnDeprecation", what: "a deprecation" },
  { name: "failOnNotice", what: "a notice" },
]

/** Returns what the settings of PHPUnit say. */
export const ofPhpunit = (text: string): ReadonlyArray<string> => {
  const [root = ""] = /<phpunit\b[^>]*>/.exec(text) ?? []
  const isOn = (name: string) => new RegExp(`\\b${name}="true"`).test(root)
  const fails = FAILURES.filter(({ name }) => isOn(name))
  return [
    ...(fails.length === 0
      ? []
      : [`A run of PHPUnit also fails on ${join(fails.map(({ name, what }) => `${what} (${code(name)})`))}.`]),
    ...(/\bexecutionOrder="[^"]*\brandom\b/.test(root) ? ["Tests run in random order (`executionOrder`)."] : []),
  ]
}

/** Well-known helpers and servers of tests, by their names without a scope or an owner. */
const HELPERS =
  /^(?:pytest-(?:asyncio|docker|httpbin|httpserver|httpx|mock|postgresql|playwright|recording|trio|vcr|xdist|randomly)|aioresponses|factory-boy|fakeredis|freezegun|httpretty|hypothesis|moto|requests-mock|requests_mock|respx|responses|testcontainers(?:-go|-modules)?|time-machine|vcrpy|nock|msw|sinon|supertest|wiremock|jsdom|happy-dom|cypress|playwright|puppeteer|mongodb-memory-server|ioredis-mock|selenium-webdriver|fast-check|mockito|mockall|httpmock|proptest|quickcheck|insta|assert_cmd|trycmd|mockery|prophecy|prophecy-phpunit|vcr|webmock|factory_bot|capybara|testify|httpexpect|gomock|mock)$/i

/** Returns the names of helpers and servers of the tests among the dependencies that a manifest lists. */
export const helpersIn = (path: string, text: string): ReadonlyArray<string> => {
  const names = dependenciesIn(path, text)
  return Array.from(new Set(names.filter((name) => HELPERS.test(name.replace(/^.*\//, "")))))
}

/** Groups of dependencies for tests, by their names. */
const GROUPS = /^(?:tests?|testing|dev|develop|development)$/i

const dependenciesIn = (path: string, text: string): ReadonlyArray<string> => {
  switch (path.toLowerCase()) {
    case "package.json":
      return Object.keys(tableAt(tryParse(text), "devDependencies"))
    case "composer.json":
      return Object.keys(tableAt(tryParse(text), "require-dev"))
    case "cargo.toml":
      return Object.keys(tableAt(PythonProject.tomlOf(text), "dev-dependencies"))
    case "pyproject.toml":
      return pythonGroups(text)
    case "setup.cfg": {
      const extras =
        PythonProject.iniSection(text, "options.extras_require") ?? new Map<string, ReadonlyArray<string>>()
      return Array.from(extras).flatMap(([group, lines]) => (GROUPS.test(group) ? lines.flatMap(requirement) : []))
    }
    case "go.mod":
      return Array.from(text.matchAll(/^\s*(?:require\s+)?([\w./-]+) v\d[^\n/]*$/gm), ([, name = ""]) => name)
    default:
      return []
  }
}

const requirement = (line: unknown): ReadonlyArray<string> =>
  typeof line === "string" ? (/^[A-Za-z][\w.-]*/.exec(line)?.slice(0, 1) ?? []) : []

const pythonGroups = (text: string): ReadonlyArray<string> => {
  const manifest = PythonProject.tomlOf(text)
  const lists = Object.entries({
    ...tableAt(manifest, "project", "optional-dependencies"),
    ...tableAt(manifest, "dependency-groups"),
  })
  const ofPoetry = Object.entries(tableAt(manifest, "tool", "poetry", "group"))
  return [
    ...lists.flatMap(([group, all]) => (GROUPS.test(group) && Array.isArray(all) ? all.flatMap(requirement) : [])),
    ...ofPoetry.flatMap(([group, settings]) =>
      GROUPS.test(group) ? Object.keys(tableAt(settings, "dependencies")) : [],
    ),
    ...Object.keys(tableAt(manifest, "tool", "poetry", "dev-dependencies")),
  ]
}
