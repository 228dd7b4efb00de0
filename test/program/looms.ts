/** The file of a forest, and how a run of `vibe loom` is checked. */
import { assert } from "@effect/vitest"
import { type Ended, shell } from "./vibe.ts"

export const file = ".local/state/vibe/forest.db"

/** The outline without the ids. */
export const drawn = (text: string) => text.replaceAll(/\b[0-9a-z]{10,18} (?:@ )?(?:\+ |(?=root|user|assistant))/g, "")

/** Ends with `code` and one line with these words on stderr; nothing on stdout. */
export const refused = ({ code: actual, stderr, stdout }: Ended, code: number, ...words: ReadonlyArray<string>) => {
  assert.strictEqual(actual, code, stderr)
  assert.strictEqual(stdout, "")
  assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
  for (const word of words) assert.include(stderr, word)
}

/** Writes to the forest what vibe would not. */
export const tampered = (cwd: string) => (text: string) =>
  shell(
    `"${process.execPath}" --no-warnings -e 'new (require("node:sqlite").DatabaseSync)("${file}").exec(process.argv[1])' "${text}"`,
    { cwd },
  )
