/** Reads when a workflow of GitHub runs, what it builds and tests, and where it publishes the result. Pure. */
import { parse } from "yaml"
import { isObject, type JsonObject, tableAt, textAt } from "../base/Json.ts"
import { anyOf } from "../base/Prose.ts"
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
  if (name === undefined) return undefined
  const workflow = tableOf(text)
  const events = eventsOf(workflow.on)
  const phrases = onceAtTheEnd(Array.from(new Set(events.flatMap(phrasesOf))))
  if (phrases.length === 0) return undefined
  const steps = Object.values(tableAt(workflow, "jobs")).flatMap(stepsOf)
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

/** Parses a file in YAML; an empty table if it is none. */
const tableOf = (text: string): JsonObject => {
  try {
    const found: unknown = parse(text, { logLevel: "silent" })
    return isObject(found) ? found : {}
  } catch {
    // A workflow that is broken never runs.
    return {}
  }
}

interface Event {
  readonly name: string
  readonly settings: JsonObject
}

/** Reads the events of the key `on`: one name, a list of names, or a table with their settings. */
const eventsOf = (on: unknown): ReadonlyArray<Event> =>
  isObject(on)
    ? Object.entries(on).map(([name, settings]) => ({
        name,
        settings: isObject(settings) ? settings : Array.isArray(settings) ? { items: settings } : {},
      }))
    : textsOf(on).map((name) => ({ name, settings: {} }))

/** Returns the texts of a list, or a single one. */
const textsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string" && each !== "")

const withoutComment = (text: string): string => text.replace(/(?:^|\s)#.*$/, "").trim()

/** The most branches or tags that are named. */
const MAX_NAMES = 3

const phrasesOf = ({ name, settings }: Event): ReadonlyArray<string> => {
  switch (name) {
    case "push":
      return pushPhrases(settings)
    case "pull_request":
    case "pull_request_target": {
      const types = textsOf(settings.types)
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
      return textsOf(settings.types).some((type) => /^(?:published|released|prereleased|created)$/.test(type))
        ? ["when a release is published on GitHub"]
        : ["when a release on GitHub changes"]
    default:
      return []
  }
}

const FILES = " that change certain files"

const filesPhrase = (settings: JsonObject): string => ("paths" in settings || "paths-ignore" in settings ? FILES : "")

/** Says of two phrases that follow each other and end alike with the files only once that it holds for them. */
const onceAtTheEnd = (phrases: ReadonlyArray<string>): ReadonlyArray<string> =>
  phrases.map((phrase, at) =>
    phrase.endsWith(FILES) && phrases[at + 1]?.endsWith(FILES) ? phrase.slice(0, -FILES.length) : phrase,
  )

const pushPhrases = (settings: JsonObject): ReadonlyArray<string> => {
  const named = (key: string) => textsOf(settings[key]).filter((each) => !each.startsWith("!"))
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
  if (tags.length > 0) return "branches-ignore" in settings ? ["on pushes to most branches", ...tagPhrase] : tagPhrase
  return [
    "branches-ignore" in settings || "tags-ignore" in settings
      ? `on most pushes${files}`
      : files === ""
        ? "on every push"
        : `on pushes${files}`,
  ]
}

const schedulePhrase = ({ items }: JsonObject): string => {
  const times = (Array.isArray(items) ? items : []).flatMap((each) => {
    const cron = textAt(each, "cron")
    return cron === undefined ? [] : [cron.trim().split(/\s+/)]
  })
  const [minute = "", hour = "", day, month, weekday = ""] = times[0] ?? []
  const isOnce = times.length === 1 && /^\d+$/.test(minute) && /^\d+$/.test(hour) && month === "*"
  if (!isOnce || day !== "*") return "on a schedule"
  if (weekday === "*") return "every day"
  return /^(?:\d|[a-z]{3})$/i.test(weekday) ? "every week" : "on a schedule"
}

/** Reads the steps of a job, with the conditions of the job and of each step. */
const stepsOf = (job: unknown): ReadonlyArray<Publishing.Step> => {
  const steps = isObject(job) && Array.isArray(job.steps) ? job.steps : []
  return steps.filter(isObject).map((step) => ({
    uses: textAt(step, "uses"),
    run: textAt(step, "run") ?? "",
    with: isObject(step.with) ? step.with : {},
    conditions: [conditionOf(job), conditionOf(step)].filter((each) => each !== ""),
  }))
}

const conditionOf = (table: unknown): string => String((isObject(table) ? table.if : undefined) ?? "").trim()
