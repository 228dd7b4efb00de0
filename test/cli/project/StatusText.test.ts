import { assert, describe, it } from "@effect/vitest"
import { timeOf } from "../../../src/base/Prose.ts"
import * as StatusText from "../../../src/cli/project/StatusText.ts"
import * as Coverage from "../../../src/index/Coverage.ts"

describe("StatusText.countLanguages", () => {
  it("counts files by language, most first, and leaves out those of none", () => {
    const files = ["go", "c", undefined, "go", "css"].map((language) => ({ language }))
    assert.deepStrictEqual(StatusText.countLanguages(files), [
      { name: "go", files: 2 },
      { name: "c", files: 1 },
      { name: "css", files: 1 },
    ])
  })
})

describe("StatusText.coverage", () => {
  it("is a share of the major symbols, and whole where there are none", () => {
    assert.strictEqual(StatusText.coverage({ covered: 1, majorSymbols: 4 }), 0.25)
    assert.strictEqual(StatusText.coverage({ covered: 0, majorSymbols: 0 }), 1)
  })
})

describe("StatusText.format", () => {
  const status = {
    files: 3,
    partialFiles: 0,
    symbols: 4,
    purposes: { model: 1, comment: 0, derived: 0 },
    copies: 0,
    stale: 0,
    weak: 0,
    open: 1,
    majorSymbols: 2,
    covered: 1,
    classes: Coverage.make({ code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } }),
    bytesOnDisk: 2048,
  }

  const none = { languages: [], refused: [], refusedFiles: 0, unknown: [], unknownFiles: 0 }
  const same = (path: string) => path
  const details = {
    languages: [{ name: "typescript", files: 3 }],
    notOutlined: none,
    unreadable: { files: 0, folders: 0, paths: [] },
    updatedAt: "2026-11-23T08:00:00.000Z",
  }

  it("has the languages and the date of the index", () => {
    const text = StatusText.format("/p", status, details, same)
    assert.include(text, "\nlanguages  typescript 3\n")
    assert.include(text, `\nupdated    ${timeOf(Date.UTC(2026, 10, 23, 8))}`)
    assert.notInclude(
      StatusText.format("/p", status, { ...details, languages: [], updatedAt: undefined }, same),
      "updated",
    )
    assert.deepInclude(StatusText.toJson("/p", status, details), {
      languages: { typescript: 3 },
      updatedAt: "2026-11-23T08:00:00.000Z",
    })
  })

  it("divides all purposes in one line, and the major symbols in another", () => {
    const text = StatusText.format("/p", status, details, same)
    assert.include(text, "\nstate      1 current, 0 weak, 0 stale\n")
    assert.include(text, "\ncoverage   1 of 2 major symbols (50%) is explained by models, 1 not yet\n")
    const many = { ...status, purposes: { model: 40, comment: 7 }, stale: 2, weak: 3, open: 0 }
    const manyText = StatusText.format("/p", many, details, same)
    assert.include(manyText, "\nstate      42 current, 3 weak, 2 stale (the code has changed since)\n")
    assert.include(manyText, "\ncoverage   1 of 2 major symbols (50%) is explained by models and comments\n")
    assert.deepInclude(StatusText.toJson("/p", many, details), { stale: 2, weak: 3, open: 0 })
  })

  it("says how many purposes by a model are those of copies", () => {
    const copies = { ...status, purposes: { model: 40, comment: 7 }, copies: 6 }
    assert.include(
      StatusText.format("/p", copies, details, same),
      "\npurposes   40 by a model (6 of them for copies of the same source), 7 from comments\n",
    )
    assert.include(StatusText.format("/p", status, details, same), "\npurposes   1 by a model, 0 from comments\n")
    assert.deepInclude(StatusText.toJson("/p", copies, details), { copies: 6 })
  })

  it("says what explains what is open and what is weak, and nothing where all is well", () => {
    const next = (counts: Partial<typeof status>) => {
      const lines = StatusText.format("/p", { ...status, open: 0, ...counts }, details, same).split("\n")
      return lines.slice(lines.findIndex((line) => line.startsWith("updated")) + 1)
    }
    const open = "vibe index . explains what is open (with --estimate: what that costs)"
    const weak = "vibe index . --refresh-weak asks again for what is weak"
    assert.deepStrictEqual(next({}), [])
    assert.deepStrictEqual(next({ open: 3 }), [`next       ${open}`])
    assert.deepStrictEqual(next({ weak: 6 }), [`next       ${weak}`])
    assert.deepStrictEqual(next({ open: 1, weak: 6 }), [`next       ${open}`, `           ${weak}`])
  })

  it("breaks lines between words, and languages between their counts", () => {
    const languages = ["restructuredtext", "toml", "json"].map((name, at) => ({ name, files: 43 + at }))
    const text = StatusText.format("/p", status, { ...details, languages }, same, 42)
    assert.include(text, "\nlanguages  restructuredtext 43, toml 44,\n           json 45\n")
    assert.isTrue(text.split("\n").every((line) => line.length <= 42))
  })

  it("counts the code, and the other classes of files apart", () => {
    const classes = Coverage.make({
      code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 },
      test: { files: 9, symbols: 500, majorSymbols: 487, covered: 12 },
      documentation: { files: 1, symbols: 0, majorSymbols: 0, covered: 0 },
    })
    const text = StatusText.format("/p", { ...status, files: 13, classes }, details, same)
    assert.include(text, "\nfiles      13: code 3, tests 9, documentation 1\n")
    assert.include(
      text,
      "\ncoverage   1 of 2 major symbols in code (50%) is explained by models, 1 not yet; tests: 12 of 487\n",
    )
  })

  it("says so where no code has major symbols", () => {
    const classes = Coverage.make({ generated: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } })
    const text = StatusText.format("/p", { ...status, classes }, details, same)
    assert.include(text, "\ncoverage   1 of 2 major symbols (50%) is explained by models, 1 not yet\n")
    assert.include(text, "\nnote       no code has major symbols, so that all files count alike: generated 3\n")
  })

  it("names the languages without an outline, where there are any", () => {
    assert.notInclude(StatusText.format("/p", status, details, same), "no outline")
    const notOutlined = {
      languages: [{ language: "ocaml", files: 12 }],
      refused: ["a.ts", "b.ts"].map((path) => ({ path, note: "binary content" })),
      refusedFiles: 3,
      unknown: ["dot", "xdy", "a", "b", "c", "d"].map((extension) => ({ extension, files: 2 })),
      unknownFiles: 12,
    }
    assert.include(
      StatusText.format("/p", status, { ...details, notOutlined }, same),
      "\nno outline 12 ocaml files, 3 files refused: a.ts (binary content), b.ts (binary content), …, " +
        "12 files of unknown kind (2 .dot, 2 .xdy, 2 .a, 2 .b, 2 .c, …)\n",
    )
    assert.deepInclude(StatusText.toJson("/p", status, { ...details, notOutlined }), { notOutlined })
  })

  it("names what could not be read, where there is any", () => {
    assert.notInclude(StatusText.format("/p", status, details, same), "unreadable")
    const unreadable = { files: 1, folders: 2, paths: ["lib/", "src/x/", "a.ts"] }
    assert.include(
      StatusText.format("/p", status, { ...details, unreadable }, same),
      "\nunreadable 1 file and 2 folders could not be read: lib/, src/x/, a.ts\n",
    )
    assert.deepInclude(StatusText.toJson("/p", status, { ...details, unreadable }), { unreadable })
  })

  it("has no share of no symbols", () => {
    const empty = { ...status, symbols: 0, majorSymbols: 0, covered: 0, classes: Coverage.make({}) }
    assert.include(StatusText.format("/p", empty, details, same), "\ncoverage   no major symbols\n")
  })

  it("counts the files that are only partly outlined, where there are any", () => {
    assert.notInclude(StatusText.format("/p", status, details, same), "partial")
    assert.include(
      StatusText.format("/p", { ...status, partialFiles: 1 }, details, same),
      "\npartial    1 file only partly outlined, listed by vibe index\n",
    )
    assert.deepInclude(StatusText.toJson("/p", { ...status, partialFiles: 1 }, details), { partialFiles: 1 })
  })
})
