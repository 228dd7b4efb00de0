/** Runs `vibe install`: shows the change, asks, and writes it. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as Files from "../../code/Files.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Agent from "../../install/Agent.ts"
import * as Install from "../../install/Install.ts"
import * as Launch from "../../install/Launch.ts"
import { Machine } from "../../install/Launch.ts"
import * as Confirm from "../terminal/Confirm.ts"
import * as Screen from "../terminal/Screen.ts"
import * as ChangeText from "./ChangeText.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.install")(function* (input: Input) {
  const { json, print, remove, yes } = input
  const { err, out } = yield* Screen.Screen
  const request = yield* toRequest(input)
  const machine = yield* Launch.Machine
  const changes = yield* remove ? Install.planRemoval(request) : Install.plan(request)
  const toDo = changes.filter(Install.isChange)
  for (const { subject, target } of remove ? changes.filter(Install.isKept) : []) {
    const kept = subject === "notes" ? `vibe's section in ${target.path}` : target.path
    yield* Screen.line(err, sanitizeLine(`kept ${kept}: it was edited after vibe had written it`))
  }
  const report = (isWritten: boolean) =>
    Screen.line(out, sanitizeJson(ChangeText.toJson({ request, changes, isWritten })))
  if (toDo.length === 0) {
    if (json) return yield* report(false)
    for (const line of ChangeText.nothingToDo(request, changes, remove)) yield* Screen.line(out, sanitizeLine(line))
    return
  }
  if (!json) for (const change of toDo) yield* Screen.line(out, ChangeText.diff(change, out.style))
  if (print) return json ? yield* report(false) : undefined
  if (!yes && !(yield* confirm(ChangeText.question(request, toDo, remove), json ? toDo : []))) {
    yield* Screen.line(err, "nothing was changed")
    return json ? yield* report(false) : undefined
  }
  for (const change of toDo) {
    yield* Install.apply(change)
    if (!json) yield* Screen.line(out, sanitizeLine(ChangeText.done(change)))
  }
  if (json) return yield* report(true)
  const next = request.agent.next[input.user ? "user" : "project"]
  if (!remove && next !== undefined) yield* Screen.line(out, `${next}.`)
  if (!remove && !input.user && Install.isOfThisMachine(changes, machine)) {
    yield* Screen.line(out, "The entry has paths of this machine: others run 'vibe install' on theirs.")
  }
})

/** Asks on the terminal. */
const confirm = Effect.fnUntraced(function* (
  { files, text }: ReturnType<typeof ChangeText.question>,
  unseen: ReadonlyArray<Install.Change>,
) {
  const { err } = yield* Screen.Screen
  for (const change of unseen) yield* Screen.line(err, ChangeText.diff(change, err.style))
  for (const file of files) yield* Screen.line(err, `  ${file}`)
  const answer = yield* (yield* Confirm.Confirm).ask(`${text} [y/N] `)
  if (Option.isSome(answer)) return answer.value
  return yield* usageError(
    "'install' asks before it writes, and stdin is no terminal: add --yes, or --print to only see",
  )
})

const toRequest = Effect.fnUntraced(function* (input: Input) {
  const agent = Agent.find(input.agent)
  if (agent === undefined) {
    return yield* usageError(`there is no agent '${input.agent}'; there are ${Agent.names.join(", ")}`)
  }
  if (!/^[a-z0-9][\w-]{0,63}$/i.test(input.name)) {
    return yield* usageError("option '--name' takes letters, digits, '-' and '_', at most 64")
  }
  const way = Option.getOrUndefined(input.command)
  const isWay = (text: string): text is Launch.Way => Launch.ways.some((way) => way === text)
  if (way !== undefined && !isWay(way)) {
    return yield* usageError(`option '--command' takes ${Launch.waysText}`)
  }
  if (way === "local" && (input.user || agent.startsInHome === true)) {
    return yield* usageError(
      `option '--command local' is for agents that start servers in the project, and ${input.user ? "your own file is for all projects" : `${agent.title} starts them in your home`}`,
    )
  }
  if (input.user && input.notes) return yield* usageError("--notes is about a project: leave out --user")
  if (input.user && Option.isSome(input.root)) return yield* usageError("--root is a project: leave out --user")
  const scope = input.user ? ("user" as const) : { project: yield* findProject(input.root) }
  const request: Install.Request = {
    agent,
    scope,
    name: input.name,
    way,
    skill: input.skill,
    notes: input.notes,
  }
  return request
})

/**
 * The real path of the project. It is never the home: the project's file of some agents would be the user's own file
 * there.
 */
const findProject = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const files = yield* Files.Files
  const homeFolder = yield* UserFiles.homeFolder
  const home = Option.isNone(homeFolder)
    ? undefined
    : yield* Effect.orElseSucceed(files.realPath(homeFolder.value), () => homeFolder.value)
  const start = yield* files.realPath(path.resolve(Option.getOrElse(root, () => ".")))
  const project = Option.isSome(root) ? start : yield* findAbove(start, home)
  if ((yield* files.stat(project)).kind !== "folder") return yield* usageError(`${project} is not a folder`)
  if (project === home) {
    return yield* usageError(
      `${project} is your home and no project: go to a project, or add --user to install for all of them`,
    )
  }
  return project
})

/** Finds the nearest folder that is the top of a project, below the home; the folder itself if there is none. */
const findAbove = Effect.fnUntraced(function* (start: string, home: string | undefined) {
  const files = yield* Files.Files
  for (let folder = start; folder !== home; folder = path.dirname(folder)) {
    for (const mark of [".vibe", ".git"]) {
      if (yield* Effect.isSuccess(files.stat(path.join(folder, mark)))) return folder
    }
    if (folder === path.dirname(folder)) break
  }
  return start
})

const usageError = (message: string) => new UsageError({ message, command: "install" })

/** How this process was started. */
const machine = Layer.sync(Machine, () => ({
  node: process.execPath,
  // A package manager puts a link to the script into a folder of PATH.
  script: fs.realpathSync(process.argv[1] ?? ""),
  platform: process.platform,
}))

export const layer = machine.pipe(Layer.provideMerge(Confirm.layer), Layer.provideMerge(NodeFiles.layer))
