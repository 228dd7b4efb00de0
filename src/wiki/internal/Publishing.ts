/** Knows the actions and commands that publish a package, a release or an image, and where each puts it. Pure. */
import type { JsonObject } from "../../base/Json.ts"
import { code } from "./ProjectStatements.ts"

/** A step of a workflow. */
export interface Step {
  /** The action that it uses. */
  readonly uses: string | undefined
  /** The commands that it runs. */
  readonly run: string
  /** The settings of the action. */
  readonly with: JsonObject
  /** The conditions of its job and of itself. */
  readonly conditions: ReadonlyArray<string>
}

interface Result {
  /** Only one result of each place is listed. */
  readonly place: string
  readonly by: string
  readonly isDraft?: boolean
  readonly isConditional?: boolean
}

const GITHUB = "release on GitHub"
const IMAGES = "a registry of container images"
const PAGES = "GitHub Pages"
const SETTINGS = "the places that its settings name"

interface Action {
  readonly name: RegExp
  /** Returns the place; undefined if the settings do not say that it publishes. */
  readonly place: (settings: JsonObject) => string | undefined
}

const action = (names: ReadonlyArray<string>, place: string | Action["place"]): Action => ({
  name: new RegExp(`^(?:${names.join("|")})(?:/[\\w-]+)?@`, "i"),
  place: typeof place === "string" ? () => place : place,
})

const settingOf = (settings: JsonObject, key: string): string | undefined =>
  settings[key] === undefined || settings[key] === null ? undefined : String(settings[key]).trim()

const textOf = (settings: JsonObject): string => Object.values(settings).map(String).join("\n")

const isExpression = (text: string): boolean => text.includes("${{")

const isOn = (value: string | undefined): boolean => value !== undefined && value !== "false"

const ACTIONS: ReadonlyArray<Action> = [
  action(["pypa/gh-action-pypi-publish"], (settings) =>
    /test\.pypi\.org/.test(textOf(settings)) ? "TestPyPI" : "PyPI",
  ),
  action(["JS-DevTools/npm-publish"], (settings) =>
    isOn(settingOf(settings, "dry-run")) ? undefined : npmPlace(textOf(settings)),
  ),
  action(
    [
      "softprops/action-gh-release",
      "ncipollo/release-action",
      "actions/create-release",
      "actions/upload-release-asset",
      "svenstaro/upload-release-action",
      "AButler/upload-release-assets",
    ],
    GITHUB,
  ),
  action(["docker/build-push-action", "docker/bake-action"], (settings) =>
    isOn(settingOf(settings, "push")) ? IMAGES : undefined,
  ),
  action(["goreleaser/goreleaser-action"], (settings) => {
    const args = settingOf(settings, "args") ?? ""
    const isOnlyTried = /--(?:snapshot|skip)/.test(args) && !isExpression(args)
    return /\brelease\b/.test(args) && !isOnlyTried ? SETTINGS : undefined
  }),
  action(["changesets/action"], (settings) => (settingOf(settings, "publish") === undefined ? undefined : SETTINGS)),
  action(["mislav/bump-homebrew-formula-action", "dawidd6/action-homebrew-bump-formula"], "Homebrew"),
  action(["snapcore/action-publish"], "the Snap Store"),
  action(["rubygems/release-gem"], "RubyGems"),
  action(["katyo/publish-crates"], "crates.io"),
  action(["HaaLeo/publish-vscode-extension"], SETTINGS),
  action(["vedantmgoyal\\w*/winget-releaser", "vedantmgoyal2009/winget-releaser"], "winget"),
  action(["JamesIves/github-pages-deploy-action", "peaceiris/actions-gh-pages", "actions/deploy-pages"], PAGES),
]

const npmPlace = (text: string): string => (/npm\.pkg\.github\.com/.test(text) ? "GitHub Packages" : "npm")

const pypiPlace = (text: string): string =>
  /test\.?pypi/i.test(text)
    ? "TestPyPI"
    : /--(?:repository|publish|index)\b|\s-r\s/.test(text)
      ? "a package index"
      : "PyPI"

interface Command {
  /** The first group has the words of the command that a page shows. */
  readonly pattern: RegExp
  readonly place: string | ((command: string) => string)
}

/** Programs that run another one. */
const RUNNERS =
  /^(?:(?:sudo|time|exec|npx|bunx|uvx|pipx run|uv run|uv tool run|poetry run|hatch run|bundle exec|pnpm exec|pnpm dlx|yarn dlx|python3? -m|(?:\w+=\S*)|--?yes|-y)\s+)+/

const COMMANDS: ReadonlyArray<Command> = [
  { pattern: /^(twine upload)\b/, place: pypiPlace },
  { pattern: /^((?:uv|poetry|flit|hatch|pdm|maturin) (?:publish|upload))\b/, place: pypiPlace },
  { pattern: /^((?:pnpm |yarn |npm )?jsr publish|deno publish)\b/, place: "JSR" },
  { pattern: /^((?:npm|yarn|yarn npm|pnpm|bun|lerna|changeset)(?: -r| --recursive)? publish)\b/, place: npmPlace },
  { pattern: /^(semantic-release|goreleaser release)\b/, place: SETTINGS },
  { pattern: /^(cargo (?:workspaces )?publish)\b/, place: "crates.io" },
  { pattern: /^(gh release (?:create|upload))\b/, place: GITHUB },
  { pattern: /^(gem push|rake release)\b/, place: "RubyGems" },
  {
    pattern: /^((?:dotnet )?nuget push)\b/,
    place: (command) => (/nuget\.org/.test(command) ? "NuGet" : "a NuGet feed"),
  },
  { pattern: /^((?:\.\/)?mvnw?(?= .*\bdeploy\b))/, place: "a Maven repository" },
  {
    pattern: /^((?:\.\/)?gradlew?)(?= (?:\S+ )*?(?:\S+:)?publish(?:\w*ToMavenCentral|All\w+|ToSonatype)?(?:\s|$))/,
    place: "a Maven repository",
  },
  { pattern: /^(mix hex\.publish)\b/, place: "Hex" },
  { pattern: /^(docker push)\b/, place: IMAGES },
  { pattern: /^(choco push)\b/, place: "Chocolatey" },
  { pattern: /^(snapcraft (?:upload|push))\b/, place: "the Snap Store" },
  { pattern: /^(vsce publish)\b/, place: "the Visual Studio Marketplace" },
  { pattern: /^(ovsx publish)\b/, place: "Open VSX" },
  { pattern: /^((?:dart|flutter) pub publish)\b/, place: "pub.dev" },
  { pattern: /^(mkdocs gh-deploy)\b/, place: PAGES },
]

/** The tasks of tools that take other words before them. */
const BUILD_TASKS = [
  ["mvn", " deploy"],
  ["gradle", " publish"],
] as const

/** Returns where the steps publish, each place once, as phrases with what publishes there. */
export const placesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<string> => {
  const results = steps.flatMap((step) =>
    [...ofAction(step), ...ofCommands(step)].map((result) => ({ ...result, condition: conditionOf(step, result) })),
  )
  return Array.from(Map.groupBy(results, ({ place }) => place).values()).flatMap((same) => {
    const result = same.find(({ condition }) => condition === "") ?? same[0]
    if (result === undefined) return []
    const { by, condition, isDraft, place } = result
    const where = place === GITHUB ? `a ${isDraft ? "draft " : ""}${GITHUB}` : place
    return [`${where} (${code(by)}${condition})`]
  })
}

/** The settings that decide whether an action publishes. */
const DECIDING = ["push", "args"]

const ofAction = ({ uses = "", with: settings }: Step): ReadonlyArray<Result> => {
  const place = ACTIONS.find(({ name }) => name.test(uses))?.place(settings)
  if (place === undefined) return []
  return [
    {
      place,
      by: uses.replace(/@.*$/, ""),
      isDraft: settingOf(settings, "draft") === "true",
      isConditional: DECIDING.some((key) => isExpression(settingOf(settings, key) ?? "")),
    },
  ]
}

const ofCommands = ({ run }: Step): ReadonlyArray<Result> => {
  const found: Array<Result> = []
  let depth = 0
  let isTested = false
  const pieces = run.replaceAll(/\\\n/g, " ").split(/\n|&&|\|\||;|\||\b(?:then|else|do)\s/)
  for (const piece of pieces.map((each) => each.trim())) {
    if (/^(?:if|case)\s/.test(piece)) depth++
    if (/^(?:fi|esac)\b/.test(piece)) depth--
    const bare = piece.replace(RUNNERS, "")
    const known = COMMANDS.find(({ pattern }) => pattern.test(bare))
    const words = known?.pattern.exec(bare)?.[1]
    if (known !== undefined && words !== undefined && !/\s--(?:dry-run|help|snapshot)\b/.test(bare)) {
      const isDraft = /\s(?:--draft|-d)\b/.test(bare) && words === "gh release create"
      found.push({
        place: typeof known.place === "string" ? known.place : known.place(bare),
        by: `${words}${BUILD_TASKS.find(([tool]) => words.includes(tool))?.[1] ?? ""}${isDraft ? " --draft" : ""}`,
        isDraft,
        isConditional: depth > 0 || isTested,
      })
    }
    isTested = /^(?:\[|test\s)/.test(piece)
  }
  return found
}

/** Holds in the repository itself, or does not say when. */
const TRIVIAL = /^(?:\$\{\{\s*)?(?:github\.repository(?:_owner)? == '[^']*'|success\(\)|always\(\))(?:\s*\}\})?$/

const TAGS =
  /^(?:\$\{\{\s*)?(?:startsWith\(github\.ref, ?'refs\/tags\/?[^']*'\)|github\.ref_type == 'tag')(?:\s*\}\})?$/

const conditionOf = ({ conditions }: Step, { isConditional = false }: Result): string => {
  const real = conditions.filter((condition) => !TRIVIAL.test(condition))
  if (isConditional || real.some((condition) => !TAGS.test(condition))) return ", under a condition"
  return real.length > 0 ? ", for tags" : ""
}
