/** An interview about a codebase: what comes of it are files, told of as they are written, and all of them at the end. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ConversationEngine from "../../chat/ConversationEngine.ts"
import type * as Forest from "../../forest/Forest.ts"
import type * as LoomEngine from "../../loom/LoomEngine.ts"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { plural } from "../../message/Plural.ts"
import type { ToolResult } from "../../tool/ToolResult.ts"
import { WrittenFile } from "../../toolbox/WrittenFile.ts"
import type { Session } from "../Session.ts"
import type { Backend, Reply, SessionMode } from "../SessionMode.ts"
import type { SlashCommand } from "../slash/SlashCommand.ts"
import * as View from "../View.ts"
import * as WrittenFiles from "../WrittenFiles.ts"

export interface Options {
  /** The folder that is talked about, by its real path. */
  readonly codebase: string
  readonly systemPrompt: string
  /** How a file that tools have written is named to the person. */
  readonly displayPath: (file: string) => string
}

export const make = Effect.fnUntraced(function* ({ codebase, displayPath: named, systemPrompt }: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const kind: SessionMode = {
    owner: ConversationEngine.owner(codebase),
    open: ({ from, model, show: tell, tools }) =>
      ConversationEngine.make({ model, tools, systemPrompt, codebasePath: codebase, from }).pipe(
        Effect.provide(context),
        Effect.map((engine) => backendOf(engine, telling(tell, named))),
      ),
    commands: [files(named)],
    onReply: ({ isComplete }, session) =>
      isComplete ? Effect.as(summed(session, named), "exit") : Effect.succeed("continue"),
    handleInput: () => Effect.succeed(undefined),
  }
  return kind
})

type Telling = (result: ToolResult) => Effect.Effect<void>

const backendOf = ({ cursor, respond, start }: ConversationEngine.Service, telling: Telling): Backend => ({
  cursor: Effect.map(cursor, Option.getOrUndefined),
  send: (text, { observer, ...options }) =>
    Effect.flatMap(cursor, (at) => {
      const say = Option.isNone(at) ? start : respond
      return Effect.map(
        say(text, { ...options, observer: heard(observer, telling) }),
        ({ done, files_written = [], text }): Reply => ({ text, filesWritten: files_written, isComplete: done }),
      )
    }),
})

const heard = (observer: TurnObserver, telling: Telling): TurnObserver => ({
  ...observer,
  toolFinished: (call, result) =>
    Effect.zipRight(observer.toolFinished?.(call, result) ?? Effect.void, telling(result)),
})

/** Tells of files that a tool has written, and of one that was there before what changed in it. */
const telling =
  (tell: View.Opened["show"], named: Options["displayPath"]): Telling =>
  ({ data, filesWritten = [] }) =>
    Effect.gen(function* () {
      for (const file of filesWritten) yield* tell(View.Entry.Noted({ text: `📄 Wrote ${named(file)}` }))
      const diff = filesWritten.length > 0 && isWritten(data) ? data.diff : undefined
      if (diff !== undefined) yield* tell(View.Entry.Printed({ text: diff, form: "diff" }))
    })

const isWritten = Schema.is(WrittenFile)

const files = (named: Options["displayPath"]): SlashCommand => ({
  name: "files",
  argument: undefined,
  summary: "List the files that were written so far",
  run: (session) =>
    Effect.gen(function* () {
      const all = yield* written(session)
      yield* session.view.show(
        all.length === 0
          ? View.Entry.Noted({ text: "no files have been written yet" })
          : View.Entry.Printed({ text: all.map(named).join("\n"), form: "text" }),
      )
      return "continue" as const
    }),
})

const summed = (session: Session, named: Options["displayPath"]) =>
  Effect.flatMap(written(session), (all) =>
    session.view.show(
      View.Entry.Noted({
        text: [
          all.length === 0
            ? "The session is complete; no files were written"
            : `The session is complete: ${plural(all.length, "file")} written`,
          ...all.map((file) => `  ${named(file)}`),
        ].join("\n"),
      }),
    ),
  )

const written = ({ cursor, forest }: Session) => Effect.flatMap(cursor, (at) => WrittenFiles.written(forest, at))
