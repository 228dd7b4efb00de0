/** How comments are written: as sentences that can be read aloud, in the words of CONTRIBUTING.md. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const src = path.resolve(import.meta.dirname, "../src")

/** "Where" says a place, such as "where the file is"; "if" says a condition, and "when" a time. */
const MAX_WHERE = 150

/** The columns of a line, as Biome counts them for code; it leaves comments as they are. */
const MAX_COLUMNS = 120

const files = fs
  .readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, source: fs.readFileSync(path.join(src, file), "utf8") }))

/** The texts of block comments, and of lines of comment that follow one another. */
const commentsIn = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n?)+/gm), ([whole, block]) =>
    block === undefined ? whole.replaceAll(/^[ \t]*\/\/ ?/gm, " ") : block.replaceAll(/\n[ \t]*\* ?/g, " "),
  ).map((text) => text.replaceAll(/\s+/g, " ").trim())

/** Words that begin a part of a sentence, such as "Of the limits of a batch" or "What a model wrote". */
const fragment = /^(?:Of|That of|Those|What|Whether|None|Where|With|Without|By|Not|For|As|At|From|In|To|Also|But|And)\b/

const comments = files.flatMap(({ file, source }) => commentsIn(source).map((text) => ({ file, text })))

const list = (found: typeof comments) => found.map(({ file, text }) => `${file}: ${text.slice(0, 80)}`)

describe("comments", () => {
  it("begin with the subject or the verb of a sentence", () => {
    assert.deepStrictEqual(list(comments.filter(({ text }) => fragment.test(text))), [])
  })

  it("say undefined, empty or nothing, not 'none where'", () => {
    assert.deepStrictEqual(list(comments.filter(({ text }) => /\bnone where\b/i.test(text))), [])
  })

  it("say if for a condition and when for a time", () => {
    const found = comments.filter(({ text }) => /\bwhere\b/i.test(text))
    assert.isAtMost(found.length, MAX_WHERE, `${found.length} comments with "where": is each of them a place?`)
  })

  it("fit in 120 columns", () => {
    const long = files.flatMap(({ file, source }) =>
      source
        .split("\n")
        .filter((line) => line.length > MAX_COLUMNS && /^\s*(?:\/\*|\*|\/\/)/.test(line))
        .map((text) => ({ file, text })),
    )
    assert.deepStrictEqual(list(long), [])
  })

  it("are found in blocks and in lines, and fragments in both", () => {
    const source = "/** What it is.\n * More. */\nconst a = 1\n// Of two\n// lines.\nconst b = 2 // beside\n"
    const found = commentsIn(source)
    assert.deepStrictEqual(found, ["What it is. More.", "Of two lines."])
    assert.isTrue(found.every((text) => fragment.test(text)))
    assert.isFalse(fragment.test("Information about it."))
  })
})
