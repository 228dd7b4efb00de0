/** An interview about a codebase that produces files: each is shown when it is written, and all of them at the end. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ConversationEngine from "../../chat/ConversationEngine.ts"
import type * as Forest from "../../forest/Forest.ts"
import type * as LoomEngine from "../../loom/LoomEngine.ts"
import { broadcast, type Sink } from "../../loom/TurnEvent.ts"
import { plural } from "../../message/Plural.ts"
import { WrittenFile } from "../../toolbox/WrittenFile.ts"
import type { Session } from "../Session.ts"
import type { Backend, Reply, SessionMode } from "../SessionMode.ts"
import type { SlashCommand } from "../slash/SlashCommand.ts"
import * as View from "../View.ts"
import * as WrittenFiles from "../WrittenFiles.ts"

export interface Options {
  /** The real path of the folder that the interview is about. */
  readonly codebase: string
  readonly systemPrompt: string
  /** The path to show for a file that tools have written. */
  readonly displayPath: (file: string) => string
}

export const make = Effect.fnUntraced(function* ({ codebase, displayPath, systemPrompt }: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const mode: SessionMode = {
    owner: ConversationEngine.OWNER(codebase),
    open: ({ from, model, show, tools }) =>
      ConversationEngine.make({ model, tools, systemPrompt, codebasePath: codebase, from, summarizes: true }).pipe(
        Effect.provide(context),
        Effect.map((engine) => backendOf(engine, showWrittenFiles(show, displayPath))),
      ),
    commands: [files(displayPath)],
    onReply: ({ isComplete }, session) =>
      isComplete ? Effect.as(showSummary(session, displayPath), "exit") : Effect.succeed("continue"),
    handleInput: () => Effect.succeed(undefined),
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

/** Shows the files that a tool has written, with a diff where the file existed before. */
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

const isWritten = Schema.is(WrittenFile)

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

const writtenFiles = ({ cursor, forest }: Session) => Effect.flatMap(cursor, (at) => WrittenFiles.onPath(forest, at))
