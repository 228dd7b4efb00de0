import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Style from "../../src/base/Style.ts"
import { FileError, NotFound } from "../../src/code/FileError.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as AnswerText from "../../src/lookup/AnswerText.ts"
import type { Blocks } from "../../src/lookup/Blocks.ts"
import type { Excerpt } from "../../src/lookup/Excerpt.ts"
import * as Related from "../../src/lookup/Related.ts"

const entry = new IndexEntry({
  path: "src/Forest.ts",
  name: "append",
  container: "Forest",
  kind: "method",
  startLine: 10,
  endLine: 30,
  signature: "append(node: Node): void",
  doc: "Adds a node.",
  exported: true,
  usedBy: 3,
  isMajor: true,
  hash: "h",
  purpose: { text: "Grows the tree", origin: "model", model: "google/gemini-2.5-flash", node: "n-1", stale: true },
})

const excerptOf =
  (lines: ReadonlyArray<string>) =>
  (most: number): Excerpt => ({ firstLine: 14, lines: lines.slice(0, most) })

/** As many of the first lines as fit. */
const blocksOf =
  (lines: ReadonlyArray<string>): Blocks =>
  (room) => {
    let left = room
    const count = lines.findIndex((line) => {
      left -= AnswerText.sizes.sizeOf(line)
      return left < 0
    })
    return [{ firstLine: 14, lines: lines.slice(0, count === -1 ? undefined : Math.max(1, count)) }]
  }

const answer = (
  more: Partial<ConstructorParameters<typeof IndexEntry>[0]> = {},
  lines: ReadonlyArray<string> = ["  store.write(node)"],
  related: Partial<Pick<AnswerText.Answer, "members" | "callees">> = {},
): AnswerText.Answer => ({
  hit: { entry: new IndexEntry({ ...entry, ...more }), score: 1.5 },
  members: Related.none,
  callees: Related.none,
  ...related,
  excerpt: Either.right(excerptOf(lines)),
  blocks: Either.right(blocksOf(lines)),
})

const unstyled: AnswerText.Format = { style: Style.plain, displayPath: (path) => path }

const lines = (...answers: ReadonlyArray<AnswerText.Answer>) => AnswerText.format(answers, unstyled).split("\n")

const method = (name: string, line: number, endLine = line + 4) =>
  new IndexEntry({ ...entry, name, container: "Forest", startLine: line, endLine, purpose: undefined })

describe("AnswerText.format", () => {
  it("has the place, kind, name, signature, purpose and lines of each result", () => {
    assert.deepStrictEqual(lines(answer()), [
      "src/Forest.ts:10-30  method Forest.append",
      "  append(node: Node): void",
      "  Grows the tree (stale)",
      "    14 │   store.write(node)",
    ])
  })

  it("marks the origin of a purpose, and says nothing where there is none", () => {
    const purpose = { text: "Adds a node", model: "offline", node: "n", stale: false }
    const second = (origin: "model" | "comment") => lines(answer({ purpose: { ...purpose, origin } }))[2]
    assert.deepStrictEqual([second("model"), second("comment")], ["  Adds a node", "  # Adds a node"])
    assert.strictEqual(lines(answer({ purpose: undefined }))[2], "    14 │   store.write(node)")
  })

  it("leaves out a signature that the lines or the title show", () => {
    const broken = ["  append(", "    node: Node,", "  ): void {"]
    assert.notInclude(lines(answer({}, broken)), "  append(node: Node): void")
    const bare = { name: "Forest", container: undefined, kind: "class", signature: "class Forest" } as const
    assert.notInclude(lines(answer(bare)), "  class Forest")
  })

  it("names the members of a class with their lines, unless all of it is shown", () => {
    const members = { named: [method("append", 11), method("size", 20, 20)], others: 3 }
    assert.include(lines(answer({}, undefined, { members })), "  members: append 11-15, size 20, and 3 more")
    assert.notInclude(lines(answer({ endLine: 10 }, undefined, { members })).join("\n"), "members")
  })

  it("names what a function calls, with the place, and paths as they are to be printed", () => {
    const elsewhere = new IndexEntry({ ...method("write", 40), path: "src/Store.ts" })
    const callees = { named: [method("size", 20, 20), elsewhere], others: 0 }
    const text = AnswerText.format([answer({}, undefined, { callees })], {
      ...unstyled,
      displayPath: (path) => `../${path}`,
    })
    assert.include(text, "\n  calls: size 20, write ../src/Store.ts:40-44\n")
    assert.match(text, /^\.\.\/src\/Forest\.ts:10-30 /)
  })

  it("names as many members as fit into a line", () => {
    const named = Array.from({ length: 6 }, (_, n) => method(`aMethodWithALongName${n}`, 100 * n))
    const [list = ""] = lines(answer({}, undefined, { members: { named, others: 2 } })).filter((line) =>
      /members/.test(line),
    )
    assert.match(list, /^ {2}members: aMethodWithALongName0 0-4, .*, and 4 more$/)
    assert.isBelow(list.length, 180)
  })

  it("prints whole lines, except for lines of generated code", () => {
    const long = `  ${"word ".repeat(30)}end`
    assert.strictEqual(lines(answer({}, [long]))[3], `    14 │ ${long}`)
    assert.isBelow(lines(answer({}, ["x".repeat(10_000)]))[3]?.length ?? 0, 260)
  })

  const countsOf = (...answers: ReadonlyArray<AnswerText.Answer>) =>
    AnswerText.format(answers, unstyled)
      .split("\n\n")
      .map((result) => result.split("\n").filter((line) => line.includes("│")).length)

  const long = Array.from({ length: 100 }, (_, n) => `  line ${n} of the symbol`)

  const scored = (score: number): AnswerText.Answer => {
    const { hit, ...others } = answer({}, long)
    return { ...others, hit: { ...hit, score } }
  }

  it("has most lines of the first result, fewer of the next two, and none of the others", () => {
    const [first = 0, second = 0, third = 0, ...others] = countsOf(...[9, 9, 8, 8, 7].map(scored))
    assert.isAbove(first, 1.5 * second)
    assert.isAtLeast(second, third)
    assert.isAbove(third, 3)
    assert.deepStrictEqual(others, [0, 0])
  })

  it("gives the room of all to a first result that is far better than the second, or alone", () => {
    const [clear = 0, ...others] = countsOf(...[9, 5, 4].map(scored))
    assert.deepStrictEqual(others, [0, 0])
    assert.isAbove(clear, 1.5 * (countsOf(...[9, 8, 8].map(scored))[0] ?? 0))
    assert.isAbove(countsOf(scored(9))[0] ?? 0, clear)
  })

  it("leaves the room of a short result to the next", () => {
    const [, second = 0] = countsOf(...[9, 9, 9].map(scored))
    const [, more = 0] = countsOf(answer(), scored(1.5), scored(1.5))
    assert.isAbove(more, 1.5 * second)
  })

  it("marks where lines between two pieces are left out", () => {
    const pieces = [
      { firstLine: 11, lines: ["  if (store) {"] },
      { firstLine: 20, lines: ["  return node"] },
    ]
    const shown = lines({ ...answer(), blocks: Either.right(() => pieces) })
    assert.deepStrictEqual(shown.slice(-3), ["    11 │   if (store) {", "     … │", "    20 │   return node"])
  })

  it("has the same pieces for a page, which shows code of every result", () => {
    const answers = [9, 9, 8, 8, 7].map(scored)
    const pieces = AnswerText.pieces(answers)
    const counts = pieces.map((of) => of.flatMap(({ lines }) => lines).length)
    assert.deepStrictEqual(counts.slice(0, 3), countsOf(...answers).slice(0, 3))
    assert.isTrue(counts.slice(3).every((count) => count > 0))
    const failed = new FileError({ path: "a.ts", reason: new NotFound() })
    assert.deepStrictEqual(AnswerText.pieces([{ ...answer(), blocks: Either.left(failed) }]), [[]])
  })

  it("is at most 2,700 characters long for up to three results", () => {
    const verbose = answer(
      {
        signature: "s".repeat(500),
        purpose: { ...entry.purpose, text: "p".repeat(500), origin: "comment", model: "", node: "", stale: false },
      },
      Array.from({ length: 50 }, () => "c".repeat(70)),
    )
    for (const answers of [[verbose], [verbose, verbose], [verbose, verbose, verbose]]) {
      assert.isAtMost(AnswerText.format(answers, unstyled).length, 2_700)
    }
  })

  it("prints why the code cannot be read", () => {
    const gone: AnswerText.Answer = {
      ...answer(),
      blocks: Either.left(new FileError({ path: "src/Forest.ts", reason: new NotFound() })),
    }
    assert.include(lines(gone).at(-1) ?? "", "  (src/Forest.ts: no such file or folder)")
  })

  it("hands no escape sequence of the code to the terminal", () => {
    const hostile = answer({ path: "a\x1b[2J.ts", signature: "f\x1b]0;x\x07()" }, ["a \x1b[31mred"])
    assert.notInclude(lines(hostile).join("\n"), "\x1b")
  })

  it("has spaces for tabs on a terminal, and tabs as they are elsewhere", () => {
    const code = answer({}, ["\t\tconst tab = 1"])
    assert.strictEqual(lines(code).at(-1), "    14 │ \t\tconst tab = 1")
    assert.include(AnswerText.format([code], { ...unstyled, columns: 80 }), "    14 │         const tab = 1")
  })

  it("breaks purposes, signatures and code between words on a terminal", () => {
    const code = ["const delay = 1000 * 2 ** attempt // after any failure of the provider"]
    assert.deepStrictEqual(
      AnswerText.format([answer({}, code)], { ...unstyled, columns: 50 })
        .split("\n")
        .slice(3),
      ["    14 │ const delay = 1000 * 2 ** attempt //", "       │ after any failure of the provider"],
    )
  })
})

describe("AnswerText.toJson", () => {
  it("is what `vibe query --json` promises", () => {
    const members = { named: [method("size", 20, 20)], others: 3 }
    assert.deepStrictEqual(AnswerText.toJson([answer({}, undefined, { members })]), [
      {
        path: "src/Forest.ts",
        symbol: "Forest.append",
        kind: "method",
        startLine: 10,
        endLine: 30,
        score: 1.5,
        signature: "append(node: Node): void",
        purpose: "Grows the tree",
        purposeOrigin: "model",
        stale: true,
        weak: null,
        members: [{ name: "size", kind: "method", startLine: 20, endLine: 20 }],
        callees: [],
        lines: { start: 14, text: "  store.write(node)" },
        blocks: [{ start: 14, text: "  store.write(node)" }],
      },
    ])
  })

  it("has null where there is no purpose, and for the lines of the fourth result", () => {
    const bare = answer({ purpose: undefined })
    const [first, , , fourth] = AnswerText.toJson([bare, bare, bare, bare])
    assert.deepInclude(first, { purpose: null, purposeOrigin: null, stale: false })
    assert.deepInclude(fourth, { lines: null, blocks: null })
  })
})
