/**
 * An interview about a codebase that produces files. Each file is shown when it is written, and all of them at the end.
 * If points are open when the model calls the interview complete, they are listed, and a user who watches decides
 * whether it is.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import { broadcast, type Sink } from "../../agent/TurnEvent.ts"
import { plural } from "../../base/Prose.ts"
import * as Forest from "../../forest/Forest.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as ConversationEngine from "../engines/ConversationEngine.ts"
import * as OpenList from "../OpenList.ts"
import type { Session } from "../Session.ts"
import { type Backend, openOnFirstMessage, type Reply, type SessionMode } from "../SessionMode.ts"
import type { SlashCommand } from "../slash/SlashCommand.ts"
import * as View from "../View.ts"
import * as WrittenFile from "../WrittenFile.ts"

export interface Options extends OpenList.Options {
  /** The real path of the folder that the interview is about. */
  readonly codebase: string
  readonly systemPrompt: string
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const { codebase, displayPath, systemPrompt } = options
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const owner = ConversationEngine.OWNER(codebase)
  /** The node at which the user is asked whether the interview is done. */
  let asked: NodeId | undefined

  const finish = (session: Session) => Effect.as(showSummary(session, displayPath), "exit" as const)

  const complete = (session: Session) =>
    Effect.gen(function* () {
      const open = yield* OpenList.text(session, options)
      if (open === undefined) return yield* finish(session)
      const { isInteractive, show } = session.view
      yield* show(View.Entry.Noted({ text: isInteractive ? `${open}\n${OFFER}` : open }))
      if (!isInteractive) return yield* finish(session)
      asked = yield* session.cursor
      return "continue" as const
    })

  const mode: SessionMode = {
    owner,
    open: ({ from, model, show, tools }) => {
      const open = (from: NodeId) =>
        ConversationEngine.make({ model, tools, systemPrompt, codebasePath: codebase, from, summarizes: true }).pipe(
          Effect.provide(context),
          Effect.map((engine) => backendOf(engine, showWrittenFiles(show, displayPath))),
        )
      const forest = Context.get(context, Forest.Forest)
      return from === undefined ? openOnFirstMessage(forest, { owner, systemPrompt }, open) : open(from)
    },
    commands: [files(displayPath), openPoints(options)],
    onReply: ({ isComplete }, session) => (isComplete ? complete(session) : Effect.succeed("continue")),
    handleInput: (text, session) =>
      Effect.flatMap(session.cursor, (at) =>
        asked !== undefined && asked === at && text.trim() === "1" ? finish(session) : Effect.succeed(undefined),
      ),
  }
  return mode
})

const backendOf = ({ cursor, respond, start }: ConversationEngine.Service, showFiles: Sink): Backend => ({
  cursor: Effect.map(cursor, Option.getOrUndefined),
  send: (text, { onEvent, ...options }) =>
    Effect.flatMap(cursor, (at) => {
      const answer = Option.isNone(at) ? start : respond
      return Effect.map(
        answer(text, { ...options, onEvent: broadcast(onEvent, showFiles) }),
        ({ done, files_written = [], text }): Reply => ({ text, filesWritten: files_written, isComplete: done }),
      )
    }),
})

/** Shows the files that a tool has written, with a diff if the file existed before. */
const showWrittenFiles =
  (show: View.Opened["show"], displayPath: Options["displayPath"]): Sink =>
  (event) =>
    Effect.gen(function* () {
      if (event._tag !== "ToolFinished") return
      const { data, filesWritten = [] } = event.result
      for (const file of filesWritten) yield* show(View.Entry.Noted({ text: `📄 Wrote ${displayPath(file)}` }))
      const diff = filesWritten.length > 0 && isWritten(data) ? data.diff : undefined
      if (diff !== undefined) yield* show(View.Entry.Printed({ text: diff, form: "diff" }))
    })

const isWritten = Schema.is(WrittenFile.WrittenFile)

const files = (displayPath: Options["displayPath"]): SlashCommand => ({
  name: "files",
  argument: undefined,
  summary: "List the files that were written so far",
  run: (session) =>
    Effect.gen(function* () {
      const all = yield* writtenFiles(session)
      yield* session.view.show(
        all.length === 0
          ? View.Entry.Noted({ text: "no files have been written yet" })
          : View.Entry.Printed({ text: all.map(displayPath).join("\n"), form: "text" }),
      )
      return "continue" as const
    }),
})

const openPoints = (options: OpenList.Options): SlashCommand => ({
  name: "open",
  argument: undefined,
  summary: "List what is still open in the files, and what was asked last",
  run: (session) =>
    Effect.gen(function* () {
      const text = yield* OpenList.text(session, options)
      yield* session.view.show(View.Entry.Noted({ text: text ?? "nothing is marked as open" }))
      return "continue" as const
    }),
})

const OFFER = "[1] Done\nAnything else goes on with the interview."

const showSummary = (session: Session, displayPath: Options["displayPath"]) =>
  Effect.flatMap(writtenFiles(session), (all) =>
    session.view.show(
      View.Entry.Noted({
        text: [
          all.length === 0
            ? "The session is complete; no files were written"
            : `The session is complete: ${plural(all.length, "file")} written`,
          ...all.map((file) => `  ${displayPath(file)}`),
        ].join("\n"),
      }),
    ),
  )

const writtenFiles = ({ cursor, forest }: Session) => Effect.flatMap(cursor, (at) => WrittenFile.onPath(forest, at))
