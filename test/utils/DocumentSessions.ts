/** Sessions about a file that a model and a user edit, on a disk in memory. */
import { Effect, Queue, Stream, TestClock } from "effect"
import * as Failure from "../../src/cli/Failure.ts"
import { FileError, NotFound } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as DraftStorage from "../../src/conversation/DraftStorage.ts"
import * as Saves from "../../src/conversation/document/Saves.ts"
import * as TextFile from "../../src/conversation/document/TextFile.ts"
import * as Document from "../../src/conversation/modes/Document.ts"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import type { SlashCommand } from "../../src/conversation/slash/SlashCommand.ts"
import type * as View from "../../src/conversation/View.ts"
import { Unwritable } from "../../src/disk/DiskError.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { makeUser, texts } from "./ScriptedUser.ts"

export const path = "/here/plan.md"

/** The file of a user who can remove it, and make it read-only. */
export const disk = (text: string | undefined) => {
  const files = Files.makeMemory({ "/here/other.md": "", ...(text !== undefined && { [path]: text }) })
  const now = { isGone: false, isReadOnly: false }
  const service: Files.Service = {
    ...files,
    readReal: (at, most) =>
      at === path && now.isGone
        ? Effect.fail(new FileError({ path, reason: new NotFound() }))
        : files.readReal(at, most),
    write: (at, text, over) => {
      if (now.isReadOnly) {
        return Effect.fail(new FileError({ path, reason: new Unwritable({ cause: new Error("read-only") }) }))
      }
      const isAnew = now.isGone && over?.bytes === undefined
      now.isGone = false
      return isAnew ? files.write(at, text) : files.write(at, text, over)
    },
  }
  return {
    service,
    now,
    save: (text: string) => {
      now.isGone = false
      Effect.runSync(files.write(path, text))
    },
    text: Effect.map(files.readReal(path, 10_000), ({ bytes }) => new TextDecoder().decode(bytes)),
  }
}

export type Disk = ReturnType<typeof disk>

/** A conversation beside that file, and its user. */
export const talk = (disk: Disk, script: Scripted.Script, from?: NodeId, others: ReadonlyArray<SlashCommand> = []) =>
  Effect.gen(function* () {
    const user = yield* makeUser()
    const saved = yield* Queue.unbounded<void>()
    const file = yield* TextFile.open(path)
    const kind = yield* Effect.provideService(Document.make({ file, systemPrompt: "S" }), Saves.Saves, () =>
      Stream.fromQueue(saved),
    )
    yield* SessionLoop.run({
      mode: kind,
      model: yield* Scripted.make(script),
      tools: ToolRegistry.make([]),
      from,
      title: "vibe chat",
      facts: [],
      commands: [...kind.commands, ...others],
      workspace: yield* Workspace.open("/here"),
      files: () => Effect.succeed([]),
      drafts: DraftStorage.none,
      first: undefined,
      describeFailure: Failure.sentence,
    }).pipe(Effect.provide(user.layer), Effect.forkScoped)
    yield* user.waitFor("Titled")
    return {
      /** Says something, and gives what there is to hear of it. */
      says: (text: string) =>
        Effect.zipRight(user.sends(text), user.waitFor(text.startsWith("/") ? "Noted" : "Answered")),
      user,
      /** The editor has saved, and that is noticed. */
      noticed: Effect.zipRight(Queue.offer(saved, undefined), TestClock.adjust("150 millis")),
    }
  }).pipe(Effect.provideService(Files.Files, disk.service))

export const edit = (find: string, replace: string) =>
  Scripted.calls(["revise_document", { edits: [{ find, replace }] }])

export const whole = (text: string) => Scripted.calls(["revise_document", { text }])

/** What of a request is about the document. */
export const told = (request: Request | undefined) =>
  request?.messages.map(Message.text).filter((text) => /^\[(user edited|current) prompt/.test(text)) ?? []

/** Answers in order, and what was asked. */
export const heard = (script: ReadonlyArray<Scripted.Line | (() => Scripted.Line)>) => {
  const requests: Array<Request> = []
  return {
    requests,
    script: (request: Request, index: number): Scripted.Line => {
      requests.push(request)
      const line = script[index] ?? "(nothing)"
      return typeof line === "function" ? line() : line
    },
  }
}

export const noted = (entries: ReadonlyArray<View.Entry>) =>
  texts(entries).filter((text) => text.startsWith("Noted: ") || text.startsWith("Printed: "))
