/** How comments are written: as sentences that can be read aloud, in the words of CONTRIBUTING.md. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const src = path.resolve(import.meta.dirname, "../src")

/** Rooms of which every comment has been read aloud. A new room begins here. */
const rooms: ReadonlyArray<string> = []

/** "Where" says a place. A count of all is checked, since some are places: "where the file is". */
const MAX_WHERE_IN_A_HUNDRED_COMMENTS = 3

/** The texts of block comments, and of lines of comment that follow one another. */
const commentsIn = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n?)+/gm), ([whole, block]) =>
    block === undefined ? whole.replaceAll(/^[ \t]*\/\/ ?/gm, " ") : block.replaceAll(/\n[ \t]*\* ?/g, " "),
  ).map((text) => text.replaceAll(/\s+/g, " ").trim())

/** Words that begin a part of a sentence, such as "Of the limits of a batch" or "What a model wrote". */
const fragment = /^(?:Of|That of|Those|What|Whether|None|Where|With|Without|By|Not|For|As|At|From|In|To|Also|But|And)\b/

const filesOf = (room: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(src, room), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(room, file))

describe("comments", () => {
  it.each(rooms)("of %s are sentences", (room) => {
    const fragments = filesOf(room).flatMap((file) =>
      commentsIn(fs.readFileSync(path.join(src, file), "utf8"))
        .filter((text) => fragment.test(text) || /\bnone where\b/i.test(text))
        .map((text) => `${file}: ${text.slice(0, 80)}`),
    )
    assert.deepStrictEqual(fragments, [])
  })

  it.each(rooms)("of %s say if for a condition and when for a time", (room) => {
    const comments = filesOf(room).flatMap((file) => commentsIn(fs.readFileSync(path.join(src, file), "utf8")))
    const count = comments.join("\n").match(/\bwhere\b/gi)?.length ?? 0
    assert.isAtMost(count, Math.max(3, (comments.length * MAX_WHERE_IN_A_HUNDRED_COMMENTS) / 100), `"where" in ${room}`)
  })

  it("are found in blocks and in lines, and fragments in both", () => {
    const source = "/** What it is.\n * More. */\nconst a = 1\n// Of two\n// lines.\nconst b = 2 // beside\n"
    const comments = commentsIn(source)
    assert.deepStrictEqual(comments, ["What it is. More.", "Of two lines."])
    assert.isTrue(comments.every((text) => fragment.test(text)))
    assert.isFalse(fragment.test("Information about it."))
  })
})
