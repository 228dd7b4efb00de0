/** The tool `revise_document`: the model changes the document, by edits or as a whole. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { plural } from "../../base/Plural.ts"
import * as Tool from "../../tool/Tool.ts"
import * as Revision from "./Revision.ts"
import type { Outcome, SharedText } from "./SharedText.ts"
import type { TextFile } from "./TextFile.ts"

export const make = (file: TextFile, { revise }: SharedText): Tool.Tool =>
  Tool.make({
    name: "revise_document",
    description:
      "Changes the document that you and the user work on. Give either edits, each of words that stand at one place alone in the document, or the whole text. All edits are made, or none. The user sees the change as a diff.",
    parameters: Schema.Struct({
      edits: Schema.optional(
        Schema.NonEmptyArray(
          Schema.Struct({
            find: Schema.NonEmptyString.annotations({
              description: "What stands there now, character by character, line breaks included; once in the document",
            }),
            replace: Schema.String.annotations({ description: "What is to stand there" }),
          }),
        ),
      ).annotations({ description: "Made one after the other" }),
      text: Schema.optional(Schema.String).annotations({ description: "The whole document, in place of edits" }),
    }),
    run: ({ edits, text }) => {
      if ((edits === undefined) === (text === undefined)) return Tool.fail("give either edits or text")
      return revise((known) =>
        text === undefined ? Revision.applyEdits(known, edits ?? []) : Either.right(Revision.replaceWhole(known, text)),
      ).pipe(
        Effect.map((revised) => ({
          text: resultText(revised),
          filesWritten: revised.isWritten && revised.isChanged ? [file.name] : [],
        })),
        Effect.catchAll(Tool.fail),
      )
    },
  })

const resultText = ({ conflicts, isChanged, isWritten }: Outcome): string =>
  [
    isChanged ? "The document is changed." : "The document is as it was.",
    ...(conflicts === 0
      ? []
      : [`The user has changed ${plural(conflicts, "place")} of it too: there the user's lines stand, not yours.`]),
    ...(isWritten ? [] : ["It could not be written to the user's file. The user has been notified."]),
  ].join(" ")
