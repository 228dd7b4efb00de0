/** Writes a PRD's user stories as `prd.json`. Pure. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Prd from "./Prd.ts"
import * as PrdJson from "./PrdJson.ts"
import type { ContentKind } from "./Saving.ts"
import * as Saving from "./Saving.ts"

export const text = (prd: PrdJson.PrdJson): string => `${JSON.stringify(prd, null, 2)}\n`

/** Counts stories in words: `3 user stories`. */
export const countStories = (stories: number): string => `${stories} user ${stories === 1 ? "story" : "stories"}`

/** The names that the file may have. The preferred one comes first: programs look for `prd.json`. */
export const names = (name: string): ReadonlyArray<string> => [
  "prd.json",
  ...Saving.numberedNames(Prd.fileName(name).replace(/md$/, "json")),
]

/**
 * Makes a function that compares a file with a document and its earlier versions. A file that can be derived from one
 * of them, with the time and the path in the file, is `ours`, unless a story in it is marked as done.
 */
export const makeClassifier =
  (content: string, earlier: ReadonlyArray<string>) =>
  (there: string): ContentKind => {
    const known = Option.getOrUndefined(decode(there))
    if (known === undefined) return "foreign"
    const isOf = (content: string): boolean => text(PrdJson.make(content, known.metadata)) === there
    return isOf(content) ? "same" : earlier.some(isOf) ? "ours" : "foreign"
  }

const decode = Schema.decodeUnknownOption(Schema.parseJson(PrdJson.PrdJson))
