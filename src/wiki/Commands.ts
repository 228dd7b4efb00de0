/** How a project is built, run and tested, as its manifests say. Pure. */
import { isObject, tryParse } from "../base/Json.ts"
import * as PythonProject from "./internal/PythonProject.ts"

/** A command and what it does, as Markdown without citations. */
export interface Command {
  readonly text: string
  /** The manifest that says it. */
  readonly path: string
}

const MAX_COMMANDS = 8
const MAX_LENGTH = 90

/** Reads the commands of one manifest: plain ones first, and of these those for building, running and testing. */
export const read = (path: string, text: string): ReadonlyArray<Command> =>
  commandsOf(path, text)
    .map((command, at) => ({ command, at, rank: rankOf(command.name) }))
    .sort((one, other) => orderOf(one) - orderOf(other) || one.rank - other.rank || one.at - other.at)
    .slice(0, MAX_COMMANDS)
    .map(({ command: { does, name, runs } }) => ({
      path,
      text:
        does !== undefined
          ? `${code(name)} runs ${does}.`
          : runs === undefined
            ? code(name)
            : `${code(name)} runs ${code(runs)}.`,
    }))

/** Commands such as `yarn build` come before `yarn build:docker` and `yarn clean-install`, which fewer want. */
const orderOf = ({ command }: { readonly command: PythonProject.NamedCommand }): number =>
  Number(/\s\S*[a-z\d][:_-]\S*$/i.test(command.name))

const rankOf = (name: string): number => {
  const rank = [
    /\b(?:install|setup|bootstrap)\b/,
    /\b(?:build|compile)\b/,
    /\b(?:start|dev|serve|run [^ ]*run)\b/,
    /\b(?:py)?tests?\b|^tox$|\bspec\b/,
    /\b(?:lint|check|format|fmt|typecheck)\b/,
  ].findIndex((pattern) => pattern.test(name))
  return rank === -1 ? OTHER : rank
}

/** The rank of a command that does something else. */
const OTHER = 9

/** Writes a text as code; one with a backtick needs two around it. */
export const code = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  const short =
    line.length <= MAX_LENGTH
      ? line
      : `${line
          .slice(0, MAX_LENGTH - 1)
          .trimEnd()
          .toWellFormed()}…`
  return short.includes("`") ? `\`\` ${short} \`\`` : `\`${short}\``
}

const commandsOf = (path: string, text: string): ReadonlyArray<PythonProject.NamedCommand> => {
  const name = path.toLowerCase()
  if (name === "package.json" || name === "composer.json") {
    const runner = name === "package.json" ? scriptRunner(text) : "composer run"
    const scripts = scriptsOf(text, "scripts").map(([script, runs]) => ({ name: `${runner} ${script}`, runs }))
    return name === "composer.json" ? [{ name: "composer install" }, ...scripts] : scripts
  }
  if (/^deno\.jsonc?$/.test(name)) {
    return scriptsOf(text, "tasks").map(([task, runs]) => ({ name: `deno task ${task}`, runs }))
  }
  if (/^(?:gnu)?makefile$/.test(name)) return targetsIn(text).map((target) => ({ name: `make ${target}` }))
  if (SCRIPT.test(name)) return scriptIn(path, text)
  if (WORKFLOW.test(name)) return workflowSteps(text)
  if (name === "justfile") return targetsIn(text).map((target) => ({ name: `just ${target}` }))
  if (name === "pyproject.toml") return PythonProject.commandsOf(text)
  if (name === "tox.ini") return PythonProject.toxCommands(text)
  if (name === "noxfile.py") return PythonProject.noxCommands(text)
  if (name === "rakefile") return Array.from(new Set(rakeTasks(text)), (task) => ({ name: `rake ${task}` }))
  if (name === "cmakelists.txt" && /^\s*(?:enable_testing|include)\s*\(\s*(?:CTest)?\s*\)/im.test(text)) {
    return [...cmake, { name: "ctest --test-dir build" }]
  }
  return conventional
    .filter(({ names }) => names.test(name))
    .flatMap(({ commands }) => commands.map((name) => ({ name })))
}

/** Returns what runs the scripts of a package, by the package manager that it asks for. */
const scriptRunner = (text: string): string => {
  const [, manager = "npm"] = /"packageManager"\s*:\s*"(npm|yarn|pnpm|bun)@/.exec(text) ?? []
  return manager === "yarn" || manager === "pnpm" ? manager : `${manager} run`
}

const scriptsOf = (text: string, key: string): ReadonlyArray<readonly [string, string]> => {
  const manifest = tryParse(text)
  const scripts = isObject(manifest) ? manifest[key] : undefined
  return isObject(scripts)
    ? Object.entries(scripts).flatMap(([name, runs]) =>
        typeof runs === "string" && !/^(?:pre|post)[a-z]/.test(name) ? [[name, runs] as const] : [],
      )
    : []
}

/** Lists the targets of a Makefile; one may have several lines, such as those with variables of its own. */
const targetsIn = (text: string): ReadonlyArray<string> =>
  Array.from(
    new Set(Array.from(text.matchAll(/^([a-zA-Z][\w-]*)(?:[ \t][^:=\n]*)?:(?!=)/gm), ([, target = ""]) => target)),
  )

/** Lists the tasks of a Rakefile that have a description, and those that run tests. */
const rakeTasks = (text: string): ReadonlyArray<string> =>
  Array.from(
    text.matchAll(
      /^\s*desc\b.*\n\s*(?:multi)?task[ (]+[:"']?(\w+(?::\w+)*)|\b(?:Rake::TestTask|RSpec::Core::RakeTask|Minitest::TestTask)\.(?:new|create)\b(?:[ (]*[:"']([\w:]*\w))?/gm,
    ),
    ([match, described = "", tests = ""]) => described || tests || (match.includes("RSpec") ? "spec" : "test"),
  )

const cmake = [{ name: "cmake -B build" }, { name: "cmake --build build" }]

/** A script in a folder for those that work on the project. */
const SCRIPT = /^(?:scripts?|bin|tools|hack|ci)\/[\w.-]+$/

/** A workflow of GitHub, or the pipeline of GitLab. */
const WORKFLOW = /^\.github\/workflows\/[\w.-]+\.ya?ml$|^\.gitlab-ci\.yml$/

/** Names of scripts that say how the project is built, run and tested. */
const isTelling =
  /(?:^|[/._-])(?:setup|bootstrap|install|build|compile|start|dev|serve|run|tests?|check|lint|format|fmt|docs?|release)(?:[._-]|$)/

/** Returns the script under its path, with the first command of it, if its name says what it is for. */
const scriptIn = (path: string, text: string): ReadonlyArray<PythonProject.NamedCommand> => {
  const isShell = /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text) || /\.(?:sh|bash)$/.test(path)
  if (!isTelling.test(path.toLowerCase()) || !(isShell || text.startsWith("#!"))) return []
  const runs = isShell
    ? text.split("\n").find((line) => /^\s*[\w./"$]/.test(line) && !isPreparation.test(line))
    : undefined
  return [{ name: path, runs: runs?.trim().replace(/\s*\\$/, "") }]
}

/** A line of a script that only prepares for the others. */
const isPreparation =
  /^\s*(?:set|cd|export|source|if|then|fi|for|do|done|else|elif|case|esac|while|function|local|readonly|echo|printf|trap|shopt|\w+\(\)|\w+=)(?:\s|$|["'$({\w./-])/

/** The most commands of one workflow. */
const MAX_STEPS = 4

/** Lists what the steps of a workflow run, if its first words say that it builds, tests or checks. */
const workflowSteps = (text: string): ReadonlyArray<PythonProject.NamedCommand> => {
  const lines = text.split("\n")
  const commands = lines.flatMap((line, at) => {
    const [, indent, rest = ""] = /^([ \t]*(?:-[ \t]+)?)(?:run|script):[ \t]*(.*)$/.exec(line) ?? []
    if (indent === undefined) return []
    if (rest !== "" && !/^[|>]/.test(rest)) return [rest]
    const below = lines.slice(at + 1)
    const end = below.findIndex(
      (other) => other.trim() !== "" && other.length - other.trimStart().length <= indent.length,
    )
    return end === -1 ? below : below.slice(0, end)
  })
  const found = commands
    .map((command) =>
      command
        .trim()
        .replace(/^-\s+/, "")
        .replaceAll(/^(["'])(.*)\1$/g, "$2")
        .replace(/\s*\\$/, ""),
    )
    .filter(
      (command) =>
        rankOf(command) < OTHER && /^[\w./-]+\s/.test(command) && !/\$\{\{|^(?:echo|if|sudo|apt|curl)\b/.test(command),
    )
  return Array.from(new Set(found), (name) => ({ name })).slice(0, MAX_STEPS)
}

/** The commands of tools whose manifests name none. */
const conventional: ReadonlyArray<{ readonly names: RegExp; readonly commands: ReadonlyArray<string> }> = [
  { names: /^cargo\.toml$/, commands: ["cargo build", "cargo test"] },
  { names: /^go\.mod$/, commands: ["go build ./...", "go test ./..."] },
  { names: /^pom\.xml$/, commands: ["mvn package", "mvn test"] },
  { names: /^build\.gradle(?:\.kts)?$/, commands: ["gradle build", "gradle test"] },
  { names: /^package\.swift$/, commands: ["swift build", "swift test"] },
  { names: /^mix\.exs$/, commands: ["mix compile", "mix test"] },
  { names: /\.(?:csproj|sln)$/, commands: ["dotnet build", "dotnet test"] },
  { names: /^setup\.py$/, commands: ["pip install ."] },
  { names: /^pytest\.ini$/, commands: ["pytest"] },
  { names: /^gemfile$/, commands: ["bundle install"] },
  { names: /^cmakelists\.txt$/, commands: cmake.map(({ name }) => name) },
]

/** Returns whether a file is read for commands: manifests at the root, scripts for developers, and workflows. */
export const isCommandFile = (path: string): boolean =>
  SCRIPT.test(path.toLowerCase()) ||
  WORKFLOW.test(path.toLowerCase()) ||
  /^(?:package\.json|composer\.json|deno\.jsonc?|(?:gnu)?makefile|justfile|pyproject\.toml|tox\.ini|noxfile\.py|rakefile)$/i.test(
    path,
  ) ||
  conventional.some(({ names }) => names.test(path.toLowerCase()))
