/** Plans and makes the changes of `vibe install`: first all changes are planned, then they are made one by one. */
import * as path from "node:path"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as Agent from "./Agent.ts"
import { Edited, type EditProblem, InstallError, OtherServer } from "./EditProblem.ts"
import * as Guide from "./Guide.ts"
import * as JsonEntry from "./JsonEntry.ts"
import * as Launch from "./Launch.ts"
import * as Section from "./Section.ts"
import * as Target from "./Target.ts"
import * as TomlTable from "./TomlTable.ts"

export interface Request {
  readonly agent: Agent.Agent
  /** The project's folder, or the user. */
  readonly scope: { readonly project: string } | "user"
  /** The name of the server in the agent's file. */
  readonly name: string
  /** The way in which the agent starts vibe; `Launch.choose` by default. */
  readonly way?: Launch.Way | undefined
  /** True if the skill is installed, too. */
  readonly skill: boolean
  /** True if the section of the project's notes is installed, too. */
  readonly notes: boolean
}

/** A file and its new text. */
export interface Change {
  readonly subject: "server" | "skill" | "notes"
  readonly target: Target.Target
  /**
   * The new text. It equals the text of the target if nothing changes, and is `undefined` if the file is removed or
   * stays missing.
   */
  readonly text: string | undefined
  /** The folder whose empty subfolders are removed with the last file in them. */
  readonly base: string
}

export const isChange = ({ target, text }: Change): boolean => target.text !== text

/** Returns whether a removal leaves the skill or the section, since it was edited after it was written. */
export const isKept = ({ subject, target, text }: Change): boolean => {
  if (text === undefined || text !== target.text) return false
  return subject === "skill" ? Guide.isEdited(text) : subject === "notes" && Section.isEdited(text)
}

type PlanError = InstallError | ConfigError.ConfigError

/** Plans the changes that give the agent vibe's server. Nothing is written. */
export const plan = (request: Request): Effect.Effect<ReadonlyArray<Change>, PlanError, Files.Files | Launch.Machine> =>
  Effect.gen(function* () {
    const { agent } = request
    const machine = yield* Launch.Machine
    const scope = request.scope === "user" ? "user" : "project"
    const place: Launch.Place = { scope, isDependency: yield* isDependency(request) }
    const way = Launch.words(request.way ?? Launch.choose(place, machine), machine)
    const words = agent.needsShell === true && machine.platform === "win32" ? Launch.throughShell(way) : way
    const entry = agent.entry(words)
    const config = yield* findFile(agent.config, request)
    const text = yield* toEffect(config.target, putEntry(config.target.text, request, entry), (problem) =>
      adviceFor(problem, request, entry),
    )
    const changes: Array<Change> = [{ subject: "server", ...config, text }]
    if (request.skill) {
      const skill = yield* findFile(skillPlaces(agent), request)
      const earlier = skill.target.text
      if (earlier !== undefined && earlier !== Guide.skill && !Guide.isUnedited(earlier)) {
        return yield* new InstallError({
          path: skill.target.path,
          problem: "is there already, and was written or edited by somebody else",
          advice: "Move it away, or leave out --skill",
        })
      }
      changes.push({ subject: "skill", ...skill, text: Guide.skill })
    }
    if (request.notes) {
      const notes = yield* findFile(notesPlaces(agent), request)
      const earlier = notes.target.text
      if (earlier !== undefined && Section.isEdited(earlier)) {
        return yield* new InstallError({
          path: notes.target.path,
          problem: "has the section already, and somebody has edited it",
          advice: "Remove the section, or leave out --notes",
        })
      }
      const text = earlier === undefined ? Section.create(Guide.notes) : Section.put(earlier, Guide.notes)
      changes.push({ subject: "notes", ...notes, text })
    }
    return changes
  })

/** Plans the changes that remove everything that `plan` adds: the server, the skill and the notes. */
export const planRemoval = (request: Request): Effect.Effect<ReadonlyArray<Change>, PlanError, Files.Files> =>
  Effect.gen(function* () {
    const { agent } = request
    const config = yield* findFile(agent.config, request)
    const text = yield* toEffect(config.target, removeEntry(config.target.text, request), (problem) =>
      adviceFor(problem, request),
    )
    const skill = yield* findFile(skillPlaces(agent), request)
    const isOwn = skill.target.text !== undefined && Guide.isUnedited(skill.target.text)
    const changes: ReadonlyArray<Change> = [
      { subject: "server", ...config, text },
      { subject: "skill", ...skill, text: isOwn ? undefined : skill.target.text },
    ]
    if (request.scope === "user") return changes
    const notes = yield* findFile(notesPlaces(agent), request)
    const { text: earlier } = notes.target
    const without = earlier === undefined || Section.isEdited(earlier) ? earlier : Section.remove(earlier)
    return [...changes, { subject: "notes", ...notes, text: without }]
  })

/** Returns whether the planned server is named by a path of this machine. */
export const isOfThisMachine = (changes: ReadonlyArray<Change>, { script }: Launch.Service): boolean =>
  changes.some(
    ({ subject, text }) => subject === "server" && text?.includes(JSON.stringify(script).slice(1, -1)) === true,
  )

/** Writes one change. If the file was changed since the plan, fails and leaves it as it is. */
export const apply = ({ base, target, text }: Change): Effect.Effect<void, InstallError, Files.Files> =>
  text === undefined ? Target.remove(target, base) : Target.write(target, text)

// Files ---------------------------------------------------------------------------------------------------------------

/** The most bytes of `package.json`. */
const MAX_BYTES = 1_000_000

/** Returns whether the project depends on vibe, and the agent starts its servers there. */
const isDependency = ({ agent, scope }: Request): Effect.Effect<boolean, never, Files.Files> => {
  if (scope === "user" || agent.startsInHome === true) return Effect.succeed(false)
  const text = Files.readAll(path.join(scope.project, "package.json"), { most: MAX_BYTES })
  return text.pipe(
    Effect.map((bytes) => Launch.isDependencyIn(new TextDecoder().decode(bytes))),
    Effect.orElseSucceed(() => false),
  )
}

const inPlaces = (places: Agent.Places, name: string): Agent.Places => ({
  project: mapFirst(places.project, (folder) => `${folder}/${name}`),
  user: places.user && { ...places.user, files: mapFirst(places.user.files, (folder) => `${folder}/${name}`) },
})

const mapFirst = (
  [first, ...others]: readonly [string, ...ReadonlyArray<string>],
  change: (file: string) => string,
): readonly [string, ...ReadonlyArray<string>] => [change(first), ...others.map(change)]

const skillPlaces = ({ skills }: Agent.Agent): Agent.Places => inPlaces(skills, `${Guide.SKILL}/SKILL.md`)

/** Returns the places of notes. They belong to the project: vibe writes no notes of the user. */
const notesPlaces = ({ config, notes }: Agent.Agent): Agent.Places => ({ ...config, project: [notes] })

interface Found {
  readonly target: Target.Target
  readonly base: string
}

/** Finds the file of an agent: the first of its names that exists, else the first. */
const findFile = (places: Agent.Places, { agent, scope }: Request): Effect.Effect<Found, PlanError, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    if (scope !== "user") return yield* findFirst(places.project, scope.project, [scope.project], files)
    if (places.user === undefined) {
      return yield* new InstallError({
        path: "--user",
        problem: `${agent.title} starts the servers of your own file in your home, where they find no project`,
        advice: "Leave out --user, and install it in each project",
      })
    }
    const { inHome, variable } = places.user.folder
    const home = yield* UserFiles.homeFolder
    const base = yield* Effect.mapError(UserFiles.folderOf(variable, inHome), () =>
      ConfigError.MissingData(["HOME"], "is not set"),
    )
    const found = yield* findFirst(places.user.files, base, [...Option.toArray(home), base], files)
    // A folder of the agent in the home may have been made for the file.
    const isInHome = Option.isSome(home) && base === path.join(home.value, inHome)
    return isInHome ? { ...found, base: home.value } : found
  })

const findFirst = (
  names: ReadonlyArray<string>,
  base: string,
  allowed: ReadonlyArray<string>,
  files: Files.Service,
): Effect.Effect<Found, InstallError, Files.Files> =>
  Effect.gen(function* () {
    const paths = names.map((name) => path.join(base, ...name.split("/")))
    const existing = yield* Effect.findFirst(paths, (path) => Effect.isSuccess(files.stat(path)))
    const target = yield* Target.find(
      Option.getOrElse(existing, () => paths[0] ?? base),
      allowed,
    )
    return { target, base }
  })

// Entries -------------------------------------------------------------------------------------------------------------

/** Returns the path of the entry in a text of the agent, even if it is not there yet. */
const pathIn = (text: string, { agent, name }: Request): Either.Either<ReadonlyArray<string>, EditProblem> => {
  const { otherServers, servers } = agent
  if (otherServers === undefined) return Either.right([...servers, name])
  // `mcp.servers` may also be a server of that name.
  return Either.map(readAt(text, agent, otherServers), (value) =>
    isMap(value) && Agent.wordsOf(value).length === 0 && !("type" in value || "enabled" in value)
      ? [...otherServers, name]
      : [...servers, name],
  )
}

const isMap = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

const optionsOf = ({ format }: Agent.Agent): JsonEntry.Options => ({ comments: format === "jsonc" })

const readAt = (text: string, agent: Agent.Agent, path: ReadonlyArray<string>): Either.Either<unknown, EditProblem> =>
  agent.format === "toml" ? TomlTable.read(text, path) : JsonEntry.read(text, path, optionsOf(agent))

/** Finds the path of the entry, and the entry if it is there. Fails if it starts something other than vibe. */
const findEntry = (text: string, request: Request) =>
  Either.gen(function* () {
    const path = yield* pathIn(text, request)
    const entry = yield* readAt(text, request.agent, path)
    if (entry !== undefined && !Agent.isOwn(entry)) return yield* Either.left(new OtherServer({ key: path.join(".") }))
    return { path, entry }
  })

const putEntry = (
  text: string | undefined,
  request: Request,
  entry: Agent.Entry,
): Either.Either<string, EditProblem> => {
  const { agent, name } = request
  const isToml = agent.format === "toml"
  if (text === undefined) {
    return Either.right((isToml ? TomlTable.create : JsonEntry.create)([...agent.servers, name], entry))
  }
  return Either.flatMap(findEntry(text, request), ({ path }) =>
    isToml ? TomlTable.put(text, path, entry) : JsonEntry.put(text, path, entry, optionsOf(agent)),
  )
}

const removeEntry = (text: string | undefined, request: Request): Either.Either<string | undefined, EditProblem> => {
  const { agent } = request
  if (text === undefined) return Either.right(undefined)
  return Either.flatMap(findEntry(text, request), ({ entry, path }) => {
    if (entry === undefined) return Either.right(text)
    return Either.flatMap(editsOf(text, path, agent, entry), (what) => {
      if (what !== undefined) return Either.left(new Edited({ key: path.join("."), what }))
      return agent.format === "toml" ? TomlTable.remove(text, path) : JsonEntry.remove(text, path, optionsOf(agent))
    })
  })
}

/** Names the parts of an entry that `vibe install` does not write; `undefined` if there are none. */
const editsOf = (
  text: string,
  path: ReadonlyArray<string>,
  agent: Agent.Agent,
  entry: unknown,
): Either.Either<string | undefined, EditProblem> =>
  Either.gen(function* () {
    const given = Agent.wordsOf(entry)
    const added = Agent.wordsOf(agent.entry([""])).slice(1)
    const [command = "", ...args] = given.slice(0, given.length - added.length)
    const written = agent.entry([command, ...args])
    const keys = isMap(entry) ? Object.keys(entry).filter((key) => !Object.hasOwn(written, key)) : []
    if (keys.length > 0) return keys.join(", ")
    const isSame = Object.entries(written).every(
      ([key, value]) => isMap(entry) && JSON.stringify(Reflect.get(entry, key)) === JSON.stringify(value),
    )
    if (!isSame || !Launch.isWritten([command, ...args])) return "a command"
    const hasComments =
      agent.format === "toml"
        ? TomlTable.hasComments(text, path)
        : yield* JsonEntry.hasComments(text, path, optionsOf(agent))
    return hasComments ? "comments" : undefined
  })

const toEffect = <A>(
  { path }: Target.Target,
  result: Either.Either<A, EditProblem>,
  adviceFor: (problem: EditProblem) => string,
): Effect.Effect<A, InstallError> =>
  Effect.mapError(result, (problem) => new InstallError({ path, problem: problem.message, advice: adviceFor(problem) }))

/** Returns the advice for a problem. `entry` is the one to write; undefined for a removal. */
const adviceFor = (problem: EditProblem, { agent, name }: Request, entry?: Agent.Entry): string => {
  switch (problem._tag) {
    case "NotParsed":
    case "WrongType":
      return "Nothing was changed: mend it and run this again"
    case "Repeated":
      return "Remove one of them and run this again"
    case "Edited":
      return "Remove it by hand"
    case "OtherServer":
      return "Choose another name with --name"
    case "Unsupported":
      if (entry === undefined) return "Remove it by hand"
      return `Write this by hand: ${(agent.format === "toml" ? TomlTable : JsonEntry).inline(name, entry)}`
  }
}
