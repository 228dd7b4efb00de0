/** Reads how a project in Python is tested and what it offers, from the files that its tools read. Pure. */
import { parse } from "smol-toml"
import { at, isObject, tableAt, textAt } from "../../base/Json.ts"

/** A command and what it runs, or what it does in words. */
export interface NamedCommand {
  readonly name: string
  readonly runs?: string | undefined
  /** A text in Markdown for what it does, in place of what it runs: `the tests in …`. */
  readonly does?: string | undefined
}

/** Parses a file in TOML; an empty object if it is none. */
export const tomlOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return parse(text)
  } catch {
    // A manifest is edited by hand, and one that is broken says nothing.
    return {}
  }
}

/**
 * Returns the settings of a section of a file in the format of `setup.cfg`, each as the lines of its value; undefined
 * if there is no such section.
 */
export const iniSection = (text: string, name: string): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*[#;]/.test(line))
  const start = lines.findIndex((line) => line.trim() === `[${name}]`)
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith("["))
  const found = new Map<string, Array<string>>()
  let values: Array<string> | undefined
  for (const line of end === -1 ? rest : rest.slice(0, end)) {
    const [, key, beside] = /^([^\s=:][^=:]*?)\s*[=:](.*)$/.exec(line) ?? []
    const value = (beside ?? line).replace(/\s+[#;].*$/, "").trim()
    if (key !== undefined) {
      values = []
      found.set(key, values)
    }
    if (value !== "" && (key !== undefined || /^\s/.test(line))) values?.push(value)
  }
  return found
}

const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.split(/[\s,]+/).filter((word) => word !== "")
    : Array.isArray(value)
      ? value.filter((each) => typeof each === "string")
      : []

/** Reads the commands that `pyproject.toml` configures: installing, tests, and the environments of its task runners. */
export const commandsOf = (text: string): ReadonlyArray<NamedCommand> => {
  const manifest = tomlOf(text)
  const tool = tableAt(manifest, "tool")
  const legacy = textAt(tool, "tox", "legacy_tox_ini")
  return [
    { name: "pip install ." },
    ...pytestIn(manifest),
    ...(legacy === undefined ? toxIn(tableAt(tool, "tox")) : toxCommands(legacy)),
    ...Object.entries(tableAt(tool, "hatch", "envs")).flatMap(([env, settings]) =>
      Object.entries(tableAt(settings, "scripts")).map(([script, runs]) => ({
        name: `hatch run ${env === "default" ? "" : `${env}:`}${script}`,
        runs: commandText(runs),
      })),
    ),
    ...runners.flatMap(({ keys, runner }) =>
      Object.entries(tableAt(tool, ...keys)).flatMap(([task, runs]) =>
        task.startsWith("_")
          ? []
          : [{ name: `${runner} ${task}`, runs: commandText(isObject(runs) ? (runs.cmd ?? runs.shell) : runs) }],
      ),
    ),
  ]
}

const runners = [
  { runner: "pdm run", keys: ["pdm", "scripts"] },
  { runner: "poe", keys: ["poe", "tasks"] },
  { runner: "task", keys: ["taskipy", "tasks"] },
]

/** Writes the first of some commands in a line. What a tool puts in at run time is left out. */
const commandText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (!Array.isArray(value)) return undefined
  const [first] = value
  if (Array.isArray(first)) return commandText(first)
  const words = value.filter((word) => typeof word === "string")
  return words.length === 0 ? undefined : words.join(" ")
}

const pytestIn = (manifest: unknown): ReadonlyArray<NamedCommand> => {
  const settings = at(manifest, "tool", "pytest", "ini_options") ?? at(manifest, "tool", "pytest")
  const lists = [
    ...Object.values(tableAt(manifest, "dependency-groups")),
    ...Object.values(tableAt(manifest, "project", "optional-dependencies")),
    Object.keys(tableAt(manifest, "tool", "poetry", "dev-dependencies")),
    ...Object.values(tableAt(manifest, "tool", "poetry", "group")).map((group) =>
      Object.keys(tableAt(group, "dependencies")),
    ),
  ]
  const isNamed = lists.some((list) => Array.isArray(list) && list.some((each) => /^pytest\b(?!-)/.test(String(each))))
  if (settings === undefined && !isNamed) return []
  const folders = textsOf(at(settings, "testpaths")).filter((name) => !name.includes("`"))
  return [
    {
      name: "pytest",
      does: folders.length === 0 ? "the tests" : `the tests in ${folders.map((name) => `\`${name}\``).join(", ")}`,
    },
  ]
}

/** Reads the environments of tox in TOML; that without a name is the base of the others. */
const toxIn = (tox: Readonly<Record<string, unknown>>): ReadonlyArray<NamedCommand> => [
  ...toxCommand("tox", tox.env_run_base),
  ...Object.entries(tableAt(tox, "env")).flatMap(([name, settings]) => toxCommand(`tox -e ${name}`, settings)),
]

const toxCommand = (name: string, settings: unknown): ReadonlyArray<NamedCommand> => {
  const runs = commandText(at(settings, "commands"))
  return runs === undefined ? [] : [{ name, runs }]
}

/** Reads the commands of `tox.ini`, whose sections are `testenv` and `testenv:NAME`. */
export const toxCommands = (text: string): ReadonlyArray<NamedCommand> =>
  Array.from(text.matchAll(/^\[testenv(?::([^\]\n]+))?\]([\s\S]*?)(?=^\[|(?![\s\S]))/gm), ([, name, section = ""]) => {
    const [, value = ""] = /^commands[ \t]*=[ \t]*(.*(?:\n[ \t]+.*)*)/m.exec(section) ?? []
    const runs = value.split("\n").find((line) => line.trim() !== "" && !line.trim().startsWith("#"))
    return { name: name === undefined ? "tox" : `tox -e ${name.trim()}`, runs: runs?.trim() }
  }).filter(({ runs }) => runs !== undefined)

/** Reads the sessions of `noxfile.py`: functions with the decorator, under the names that they are given. */
export const noxCommands = (text: string): ReadonlyArray<NamedCommand> =>
  Array.from(
    text.matchAll(/^@(?:nox\.)?session\b(.*(?:\n(?!def\b|async\b).*){0,12})\n(?:async )?def (\w+)/gm),
    ([, settings = "", name = ""]) => {
      const given = /\bname\s*=\s*["']([^"'\n]+)["']/.exec(settings)?.[1]
      return { name: `nox -s ${given ?? name}` }
    },
  )

/** Reads the versions of Python that a project supports. */
export const versionOf = (text: string): string | undefined => {
  const manifest = tomlOf(text)
  const poetry = at(manifest, "tool", "poetry", "dependencies", "python")
  return textAt(manifest, "project", "requires-python") ?? (typeof poetry === "string" ? poetry : undefined)
}

/** Reads the names of the extras, the scripts, the groups of dependencies and the points at which plugins enter. */
export const offersOf = (text: string) => {
  const manifest = tomlOf(text)
  const scripts = {
    ...tableAt(manifest, "tool", "poetry", "scripts"),
    ...tableAt(manifest, "project", "scripts"),
    ...tableAt(manifest, "project", "gui-scripts"),
  }
  return {
    extras: Object.keys({
      ...tableAt(manifest, "tool", "poetry", "extras"),
      ...tableAt(manifest, "project", "optional-dependencies"),
    }),
    scripts: Object.entries(scripts).flatMap(([name, target]) =>
      typeof target === "string" ? [{ name, target }] : [],
    ),
    groups: Object.keys(tableAt(manifest, "dependency-groups")),
    plugins: Object.keys({
      ...tableAt(manifest, "tool", "poetry", "plugins"),
      ...tableAt(manifest, "project", "entry-points"),
    }),
  }
}

/** A command that a package installs, and the function that it calls: `http.cli:main`. */
export interface Script {
  readonly name: string
  readonly target: string
}

/** Reads the commands that `setup.cfg` or `setup.py` installs. */
export const consoleScripts = (text: string): ReadonlyArray<Script> => {
  const [, list = ""] = /console_scripts["']?\s*[:=]\s*([\s\S]*?)(?:\]|^\S|^\s*$)/m.exec(text) ?? []
  return Array.from(list.matchAll(/([\w.-]+)\s*=\s*([\w.]+:[\w.]+)/g), ([, name = "", target = ""]) => ({
    name,
    target,
  }))
}
