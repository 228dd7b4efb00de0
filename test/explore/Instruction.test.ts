import { assert, describe, it } from "@effect/vitest"
import * as Instruction from "../../src/explore/Instruction.ts"
import type { IndexedFile } from "../../src/index/IndexStore.ts"

const file = (change: Partial<IndexedFile>): IndexedFile => ({
  path: "a.ts",
  language: "typescript",
  class: "code",
  symbols: 1,
  major: 1,
  open: 1,
  importance: 0,
  note: undefined,
  cut: undefined,
  ...change,
})

describe("Instruction.opening", () => {
  it("has the singular for one of a thing", () => {
    const opening = Instruction.opening("/repo", [file({})], [], 1)
    assert.include(opening, "It has 1 file with 1 symbol; 1 major symbol has no purpose yet.")
    assert.include(opening, "Work is left in 1 file:\n- a.ts (1)")
    assert.include(opening, "You can answer 1 time:")
  })

  it("has the plural for several", () => {
    const opening = Instruction.opening("/repo", [file({ open: 3 }), file({ path: "b.ts", open: 2 })], [], 20)
    assert.include(opening, "It has 2 files with 2 symbols; 5 major symbols have no purpose yet.")
    assert.include(opening, "Work is left in 2 files, the most used first:\n- a.ts (3)\n- b.ts (2)")
  })

  const tests = file({ path: "test/a.test.ts", class: "test", symbols: 487, major: 487, open: 483 })

  it("counts the code, lists it by its use, and names the other classes in one line", () => {
    const opening = Instruction.opening(
      "/repo",
      [file({ open: 90 }), file({ path: "b.ts", open: 2, importance: 40 }), tests],
      [],
      20,
    )
    assert.include(opening, "It has 3 files with 489 symbols; 92 major symbols in code have no purpose yet.")
    assert.include(opening, "Work is left in 2 files of code, the most used first:\n- b.ts (2)\n- a.ts (90)\n")
    assert.include(opening, "\nOf less use: 483 in tests.\n")
    assert.notInclude(opening, "test/a.test.ts")
  })

  it("counts all files alike where no code has major symbols", () => {
    const opening = Instruction.opening("/repo", [tests, file({ path: "b.js", class: "vendored" })], [], 20)
    assert.include(opening, "It has 2 files with 488 symbols; 484 major symbols have no purpose yet.")
    assert.include(opening, "Work is left in 2 files, the most used first:\n- test/a.test.ts (483)\n- b.js (1)\n")
  })

  it("names the languages that have symbols, most symbols first", () => {
    const other = [
      file({ path: "b.py", language: "python", symbols: 5 }),
      file({ path: "c.md", language: "markdown", symbols: 0 }),
      file({ path: "d", language: undefined }),
    ]
    assert.include(
      Instruction.opening("/repo", [file({}), file({}), ...other], [], 20),
      "\nCode: 1 file of python, 2 of typescript.\n",
    )
    assert.notInclude(Instruction.opening("/repo", other.slice(1), [], 20), "Code:")
  })

  it("calls them what they are where no code has major symbols", () => {
    assert.include(Instruction.opening("/repo", [tests], [], 20), "\nTests: 1 file of typescript.\n")
    const vendored = file({ path: "b.js", class: "vendored" })
    assert.include(Instruction.opening("/repo", [tests, vendored], [], 20), "\nFiles: 2 files of typescript.\n")
  })

  const overview = {
    readme: { path: "README.md", text: "# Greeter" },
    manifests: ["package.json: greeter"],
    folders: [{ path: "src/", files: 2, symbols: 9 }],
  }

  it("asks for a map after a look around where batches follow, and lists few files", () => {
    const files = Array.from({ length: 30 }, (_, n) => file({ path: `src/${n}.ts` }))
    const opening = Instruction.opening("/repo", files, [], 6, { overview, map: undefined, hasBatches: true })
    assert.match(opening, /^Begin by exploring the codebase at '\/repo'\./)
    assert.include(opening, '"""\n# Greeter\n"""\npackage.json: greeter\nMain folders:\n- src/ (2 files, 9 symbols)\n')
    assert.include(opening, "You can answer 6 times")
    assert.include(opening, "all open symbols are sent to you in batches")
    assert.lengthOf(opening.match(/^- src\/\d+\.ts/gm) ?? [], 8)
    assert.notInclude(opening, "earlier run")
  })

  const asked =
    "All paths are relative to the root. You can answer 20 times: call many tools in each answer, and record what you understand as you go, many entries in one call of create_index_entry."

  it("has no line for what there is nothing of", () => {
    const rest = `${asked} When you are done, answer with a short summary of the codebase instead of calling tools.`
    const begin = "Begin by exploring the codebase at '/repo'.\n\n"
    assert.strictEqual(
      Instruction.opening("/repo", [], [], 20),
      `${begin}It has 0 files with 0 symbols; 0 major symbols have no purpose yet.\n\n${rest}`,
    )
    const landmark = { path: "a.ts", qualifiedName: "Box.open", usedBy: 7 } as const
    const explained = file({ path: "t.ts", class: "test", open: 0, major: 0, language: undefined })
    assert.strictEqual(
      // Three fields are read of a landmark.
      Instruction.opening("/repo", [file({}), explained], [landmark as never], 20),
      `${begin}It has 2 files with 2 symbols; 1 major symbol has no purpose yet.\nFiles: 1 file of typescript.\nThe symbols that most files use:\n- Box.open in a.ts (7)\nWork is left in 1 file:\n- a.ts (1)\n\n${rest}`,
    )
  })

  it.each([
    [40, undefined],
    [40, { overview, map: undefined, hasBatches: false }],
    [8, { overview, map: undefined, hasBatches: true }],
  ] as const)("lists %i files, and says that there are more if there are", (most, survey) => {
    const linesOf = (count: number) =>
      Instruction.opening(
        "/repo",
        Array.from({ length: count }, (_, n) => file({ path: `src/${n}.ts` })),
        [],
        20,
        survey,
      )
        .split("\n")
        .filter((line) => /^- (?:src\/\d|…)/.test(line))
    assert.lengthOf(linesOf(most), most)
    assert.notInclude(linesOf(most), "- …")
    assert.lengthOf(linesOf(most + 1), most + 1)
    assert.strictEqual(linesOf(most + 1).at(-1), "- …")
  })

  it("names six languages, the one with most files first if two have as many symbols", () => {
    const languages = ["c", "go", "java", "lua", "php", "ruby", "rust"]
    const files = languages.map((language, n) => file({ path: `a.${language}`, language, symbols: 10 - n }))
    const extra = file({ path: "b.ruby", language: "ruby", symbols: 0 })
    const rust = [file({ path: "b.rust", language: "rust", symbols: 1 })]
    assert.include(
      Instruction.opening("/repo", [...files, extra, ...rust], [], 20),
      "\nCode: 1 file of c, 1 of go, 1 of java, 1 of lua, 1 of php, 2 of ruby.\n",
    )
    const [ruby, ...others] = [
      file({ language: "ruby", symbols: 2 }),
      file({ language: "go" }),
      file({ language: "go" }),
    ]
    assert.include(Instruction.opening("/repo", [ruby, ...others], [], 20), "\nCode: 2 files of go, 1 of ruby.\n")
  })

  it("quotes the map of an earlier run, and mentions no batches where none follow", () => {
    const opening = Instruction.opening("/repo", [], [], 20, { overview, map: "A greeter.", hasBatches: false })
    assert.include(
      opening,
      'The map of an earlier run:\n"""\nA greeter.\n"""\nIf it still holds, answer "The map holds."',
    )
    assert.notInclude(opening, "symbols are sent")
  })
})

describe("Instruction.batch", () => {
  const batch = { area: "src", text: "§1\nclass A {}", symbols: [], tokens: 4 }

  it("begins with what all batches have in common", () => {
    const [one, other] = ["src", "test"].map((area) => Instruction.batch("A greeter.", { ...batch, area }))
    assert.match(one ?? "", /^A map of the project:\n"""\nA greeter\.\n"""\n\nWhat follows is source/)
    const end = (one ?? "").indexOf("\nFrom src,")
    assert.isAbove(end, 500)
    assert.strictEqual(one?.slice(0, end), other?.slice(0, end))
  })

  it("says of what it is and which marks there are", () => {
    assert.include(Instruction.batch(undefined, batch), "\nFrom src, 0 symbols to explain (§1):\n")
    assert.include(Instruction.batch(undefined, { ...batch, area: "." }), "\nFrom the whole project, ")
  })

  it("shows what was written before and why it is not enough, the same for neighbours once", () => {
    const same = { purpose: 'Opens "it".', reason: "says too little" }
    const text = Instruction.batch(undefined, batch, [
      { number: 1, ...same },
      { number: 2, ...same },
      { number: 4, ...same },
      { number: 5, purpose: "Closes.", reason: "stale" },
    ])
    assert.include(
      text,
      '\nWhat was written before, and why it is not enough. Say what it does not say:\n§1–§2 "Opens \\"it\\".": says too little\n§4 "Opens \\"it\\".": says too little\n§5 "Closes.": stale',
    )
  })

  it("joins no neighbours with another purpose or another reason", () => {
    const rows = (...others: ReadonlyArray<{ readonly purpose: string; readonly reason: string }>) =>
      Instruction.batch(
        undefined,
        batch,
        others.map((other, n) => ({ number: n + 1, ...other })),
      ).match(/^§.* ".*$/gm)
    assert.deepStrictEqual(rows({ purpose: "Opens.", reason: "a" }, { purpose: "Shuts.", reason: "a" }), [
      '§1 "Opens.": a',
      '§2 "Shuts.": a',
    ])
    assert.deepStrictEqual(rows({ purpose: "Opens.", reason: "a" }, { purpose: "Opens.", reason: "b" }), [
      '§1 "Opens.": a',
      '§2 "Opens.": b',
    ])
  })

  it("states the limits within which a symbol may have no sentence, and asks for no look around", () => {
    const text = Instruction.batch(undefined, batch)
    assert.include(text, "If a symbol of at most 10 lines does just what its name and signature say")
    assert.include(text, "for no more than half of the symbols")
    assert.include(text, "Look at nothing else first: answer with one call of create_index_entry")
  })

  it("does without a map", () => {
    assert.match(Instruction.batch(undefined, batch), /^What follows is source/)
    assert.match(Instruction.batch(undefined, batch), /\n\n§1\nclass A \{\}$/)
  })
})
