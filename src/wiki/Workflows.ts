/**
 * Reads when a workflow of GitHub runs, what it builds and tests, and where it publishes the result. It knows the usual
 * forms of the file, and says nothing of others. Pure.
 */
import * as Commands from "./Commands.ts"
import { code, join } from "./internal/ProjectStatements.ts"
import * as Publishing from "./internal/Publishing.ts"

export interface Workflow {
  /** The name of its file. */
  readonly name: string
  /** A phrase, such as `on pull requests and when a tag is pushed`. */
  readonly when: string
  /** The commands that build, test and check, as code. */
  readonly commands: ReadonlyArray<string>
  /** The places that it publishes to, as phrases. */
  readonly places: ReadonlyArray<string>
  /** A workflow with a lower rank tells more of how changes are tested. */
  readonly rank: number
}

const PATH = /^\.github\/workflows\/([\w.-]+\.ya?ml)$/i

export const isWorkflow = (path: string): boolean => PATH.test(path)

const MAX_COMMANDS = 3

/** Reads a workflow that builds, tests, checks or publishes; undefined for any other. */
export const read = (path: string, text: string): Workflow | undefined => {
  const name = PATH.exec(path)?.[1]
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line))
  const events = eventsOf(lines)
  const phrases = onceAtTheEnd(Array.from(new Set(events.flatMap(phrasesOf))))
  if (name === undefined || phrases.length === 0) return undefined
  const steps = stepsOf(lines)
  const places = Publishing.placesOf(steps)
  const ran = Array.from(new Set(steps.flatMap(({ run }) => commandsIn(run))))
  const tests = ran.filter((command) => TESTS.test(command))
  const builds = ran.filter((command) => BUILDS.test(command))
  const checks = ran.filter((command) => CHECKS.test(command))
  const commands = places.length > 0 ? builds : Array.from(new Set([...tests, ...builds, ...checks]))
  if (places.length === 0 && commands.length === 0) return undefined
  return {
    name,
    when: join(phrases),
    commands: commands.slice(0, MAX_COMMANDS).map(Commands.code),
    places,
    rank:
      (tests.length > 0 ? 0 : 4) +
      (events.some((event) => event.name.startsWith("pull_request")) ? 0 : 2) +
      (/^(?:tests?|ci|build|main|check)\./i.test(name) ? 0 : 1),
  }
}

const TESTS =
  /\b(?:py|vi|c|rich|unit)?tests?\b|^(?:tox|nox|jest|rspec)\b|\btox run\b|\b(?:phpunit|pest)\b|^(?:make|just|rake) (?:\S*test|spec)/
const BUILDS = /\b(?:build|compile|sdist|assemble)\b|^mvnw? .*\bpackage\b/
const CHECKS = /\b(?:lint|check|clippy|fmt|format|mypy|pyright|psalm|phpstan|tsc|ruff|vet)\b/

/** A command that only prepares for the others, or is none. */
const PREPARES =
  /^(?:echo|printf|mkdir|mv|cp|rm|cd|tar|curl|wget|git|apt|apt-get|brew|choco|export|set|if|for|while|case|gh|docker run|cat|ls|test)\b|\b(?:install|setup|bootstrap|sync|update|upload|download)\b/

/** Splits a script into commands, and leaves out those that only prepare. */
const commandsIn = (run: string): ReadonlyArray<string> =>
  run
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/\$\{\{.*?\}\}/g, "…")
    .split(/\n|&&|\|\||;|\|/)
    .map((piece) => withoutComment(piece).replaceAll(/^(?:\w+=\S*\s+|sudo\s+)+|\s*\\$/g, ""))
    .filter((piece) => /^[\w./-]+(?:\s|$)/.test(piece) && !PREPARES.test(piece) && !piece.endsWith("&"))

/** Says in a sentence when a workflow runs, what, and where its result goes. */
export const sentenceOf = ({ commands, name, places, when }: Workflow): string => {
  const runs = `${code(name)} runs ${when}`
  const goes = `publishes to ${join(places)}`
  if (commands.length === 0) return `${runs}; it ${goes}.`
  return `${runs}: ${join(commands)}${places.length === 0 ? "" : `, then it ${goes}`}.`
}

/** Says of several workflows that run at the same time where they publish. */
export const sentenceOfAll = (workflows: ReadonlyArray<Workflow>): string =>
  `These run ${workflows[0]?.when ?? ""}: ${join(
    workflows.map(({ name, places }, at) => `${code(name)}${at === 0 ? ", which publishes" : ""} to ${join(places)}`),
  )}.`

interface Event {
  readonly name: string
  /** The lines below it, or what stands beside it. */
  readonly settings: string
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Returns the lines from a position on that are indented more than a limit; empty lines are among them. */
const below = (lines: ReadonlyArray<string>, from: number, indent: number, isItem = false): ReadonlyArray<string> => {
  const rest = lines.slice(from)
  const end = rest.findIndex(
    (line) =>
      line.trim() !== "" && indentOf(line) <= indent && !(isItem && indentOf(line) === indent && /^\s*- /.test(line)),
  )
  return end === -1 ? rest : rest.slice(0, end)
}

/** Reads the events of the key `on`: one name, a list of names, or a table with their settings. */
const eventsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Event> => {
  const at = lines.findIndex((line) => /^(["']?)on\1:/.test(line))
  if (at === -1) return []
  const beside = withoutComment((lines[at] ?? "").replace(/^[^:]*:/, ""))
  const inner = below(lines, at + 1, 0, true).filter((line) => line.trim() !== "")
  if (beside.startsWith("{")) return []
  if (beside !== "" || /^\s*- /.test(inner[0] ?? "")) {
    const names = beside === "" ? inner.map((line) => line.replace(/^\s*- /, "")) : [`${beside} ${inner.join(" ")}`]
    return listItems(names.map(withoutComment).join(",")).map((name) => ({ name, settings: "" }))
  }
  const indent = indentOf(inner[0] ?? "")
  return inner.flatMap((line, position) => {
    const [, name, rest = ""] = /^\s*([a-z_]+):(.*)$/.exec(line) ?? []
    if (name === undefined || indentOf(line) !== indent) return []
    return [{ name, settings: [rest, ...below(inner, position + 1, indent, true)].join("\n") }]
  })
}

const withoutComment = (text: string): string => text.replace(/(?:^|\s)#.*$/, "").trim()

const listItems = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^\s*\[([\s\S]*)\]\s*$/, "$1")
    .split(",")
    .flatMap(unquoted)

const unquoted = (item: string): ReadonlyArray<string> => {
  const text = item.trim().replace(/^(["'])(.*)\1$/, "$2")
  return text === "" ? [] : [text]
}

/** Returns the items of a list in the settings of an event; undefined if there is no such key, or it is empty. */
const listAt = (settings: string, key: string): ReadonlyArray<string> | undefined => {
  const [, beside, items] =
    new RegExp(`(?:^|[\\s{,])${key}:[ \\t]*(?:(\\[[^\\]]*\\]|[^\\s#[][^\\n,}]*)|(?:#.*)?((?:\\n[ \\t]*- .*)+))`).exec(
      settings,
    ) ?? []
  const found =
    items === undefined
      ? listItems((beside ?? "").split("\n").map(withoutComment).join(" "))
      : items.split("\n").flatMap((line) => unquoted(withoutComment(line.replace(/^\s*- /, ""))))
  return found.length === 0 ? undefined : found
}

/** The most branches or tags that are named. */
const MAX_NAMES = 3

const anyOf = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const phrasesOf = ({ name, settings }: Event): ReadonlyArray<string> => {
  switch (name) {
    case "push":
      return pushPhrases(settings)
    case "pull_request":
    case "pull_request_target": {
      const types = listAt(settings, "types") ?? []
      if (types.length === 1 && types[0] === "closed") return ["when a pull request is closed"]
      if (types.length === 1 && types[0] === "labeled") return ["when a pull request gets a label"]
      return [`on pull requests${filesPhrase(settings)}`]
    }
    case "merge_group":
      return ["in the merge queue"]
    case "workflow_dispatch":
      return ["by hand (`workflow_dispatch`)"]
    case "workflow_call":
      return ["when another workflow calls it"]
    case "workflow_run":
      return ["after another workflow"]
    case "repository_dispatch":
      return ["when another program asks for it (`repository_dispatch`)"]
    case "schedule":
      return [schedulePhrase(settings)]
    case "release":
      return (listAt(settings, "types") ?? []).some((type) => /^(?:published|released|prereleased|created)$/.test(type))
        ? ["when a release is published on GitHub"]
        : ["when a release on GitHub changes"]
    default:
      return []
  }
}

const hasKey = (settings: string, key: string): boolean => new RegExp(`(?:^|[\\s{,])${key}:`).test(settings)

const FILES = " that change certain files"

const filesPhrase = (settings: string): string =>
  hasKey(settings, "paths") || hasKey(settings, "paths-ignore") ? FILES : ""

/** Says of two phrases that follow each other and end alike with the files only once that it holds for them. */
const onceAtTheEnd = (phrases: ReadonlyArray<string>): ReadonlyArray<string> =>
  phrases.map((phrase, at) =>
    phrase.endsWith(FILES) && phrases[at + 1]?.endsWith(FILES) ? phrase.slice(0, -FILES.length) : phrase,
  )

const pushPhrases = (settings: string): ReadonlyArray<string> => {
  const named = (key: string) => (listAt(settings, key) ?? []).filter((each) => !each.startsWith("!"))
  const tags = named("tags")
  const branches = named("branches")
  const files = filesPhrase(settings)
  const isAny = (names: ReadonlyArray<string>) => names.some((each) => /^\*+$/.test(each))
  const tagPhrase =
    tags.length === 0
      ? []
      : [`when a tag ${isAny(tags) || tags.length > MAX_NAMES ? "" : `like ${anyOf(tags.map(code))} `}is pushed`]
  if (branches.length > 0) {
    const some = branches.length > MAX_NAMES ? "some branches" : anyOf(branches.map(code))
    return [`on pushes to ${isAny(branches) ? "any branch" : some}${files}`, ...tagPhrase]
  }
  if (tags.length > 0)
    return hasKey(settings, "branches-ignore") ? ["on pushes to most branches", ...tagPhrase] : tagPhrase
  return [
    hasKey(settings, "branches-ignore") || hasKey(settings, "tags-ignore")
      ? `on most pushes${files}`
      : files === ""
        ? "on every push"
        : `on pushes${files}`,
  ]
}

const schedulePhrase = (settings: string): string => {
  const times = Array.from(settings.matchAll(/cron:\s*["']?([^"'\n#]+)/g), ([, time = ""]) => time.trim().split(/\s+/))
  const [minute = "", hour = "", day, month, weekday = ""] = times[0] ?? []
  const isOnce = times.length === 1 && /^\d+$/.test(minute) && /^\d+$/.test(hour) && month === "*"
  if (!isOnce || day !== "*") return "on a schedule"
  if (weekday === "*") return "every day"
  return /^(?:\d|[a-z]{3})$/i.test(weekday) ? "every week" : "on a schedule"
}

/** Reads the steps of all jobs, with the conditions of the jobs and of the steps. */
const stepsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Publishing.Step> =>
  lines.flatMap((line, at) => {
    const indent = indentOf(line)
    if (!/^\s+steps:\s*(?:#.*)?$/.test(line)) return []
    const begin = lines.slice(0, at).findLastIndex((other) => other.trim() !== "" && indentOf(other) < indent)
    const job = below(lines, begin + 1, indent - 1)
    const condition = job.find((other) => indentOf(other) === indent && /^\s*if:/.test(other))
    const inner = below(lines, at + 1, indent, true)
    const first = inner.find((other) => other.trim() !== "") ?? ""
    if (!/^\s*- /.test(first)) return []
    const starts = inner.flatMap((other, position) =>
      indentOf(other) === indentOf(first) && /^\s*- /.test(other) ? [position] : [],
    )
    return starts.map((start, position) => stepOf(inner.slice(start, starts[position + 1]), condition))
  })

const stepOf = (lines: ReadonlyArray<string>, ofJob: string | undefined): Publishing.Step => {
  // The first key stands beside the dash.
  const own = lines.map((line, at) => (at === 0 ? line.replace(/^(\s*)- (\s*)/, "$1  $2") : line))
  const indent = indentOf(own[0] ?? "")
  const settingOf = (key: string): string | undefined => {
    const at = own.findIndex((line) => indentOf(line) === indent && line.trimStart().startsWith(`${key}:`))
    if (at === -1) return undefined
    const beside = (own[at] ?? "")
      .trim()
      .slice(key.length + 1)
      .trim()
    return /^(?:[|>][+-]?\d?)?(?:\s*#.*)?$/.test(beside)
      ? below(own, at + 1, indent).join(beside.startsWith(">") ? " " : "\n")
      : withoutComment(beside).replaceAll(/^(["'])(.*)\1$/g, "$2")
  }
  return {
    uses: settingOf("uses"),
    run: settingOf("run") ?? "",
    with: settingOf("with") ?? "",
    conditions: [ofJob?.trim().slice("if:".length).trim(), settingOf("if")].flatMap((each) =>
      each === undefined || each === "" ? [] : [each],
    ),
  }
}
