/**
 * The tool `revise_document`, by which the model changes the document, and the system prompt that says how to use it.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { plural } from "../../base/Prose.ts"
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

/** The default system prompt of document mode. */
export const systemPrompt = `You work with a person on one text document. They have it open in their own editor and change it there whenever they like; you change it with the tool revise_document; and you talk about it.

How you know the document
- Every request ends with the document as it is now: [current prompt: "…"]. What is called the prompt there is the document, and the quotes are no part of it. It may be empty.
- [user edited prompt to: "…"] says that the person has saved another text. What they changed is theirs: keep it, unless they ask you for something else.

How you change it
- Only when the person wants it changed, and no more than they want. A question is answered in words.
- Call revise_document with edits wherever most of the text stays: each names words that stand at one place alone, and what is to stand there. Give the whole text only for a document that is new, short, or to be written anew.
- Keep its language, its tone, its markup and its line breaks, where nobody asks for others.
- The person sees every change as a diff, so do not repeat it: say in a sentence or two what you did and why, and what is open.
- Where both of you changed the same lines, theirs stand and you are told. Do not put yours back unasked: say what you wanted, and ask.
- Without the tool revise_document, give all of the new text in your answer, between a line <document> and a line </document>.`
