import { assert, describe, it } from "@effect/vitest"
import { UNKNOWN_LANGUAGE } from "../../src/code/Symbols.ts"
import * as NotOutlined from "../../src/index/NotOutlined.ts"

const file = (path: string, language: string, note?: string) => ({ path, language, note, symbols: 0, cut: undefined })

describe("NotOutlined.count", () => {
  it("names up to three of the refused files with their notes, and none that could not be read", () => {
    const refused = ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => file(path, "typescript", "too large"))
    const shut = file("shut.ts", "typescript", "cannot be read")
    assert.deepStrictEqual(NotOutlined.count([...refused, shut], ["lib/", "shut.ts"]), {
      languages: [],
      refused: ["a.ts", "b.ts", "c.ts"].map((path) => ({ path, note: "too large" })),
      refusedFiles: 4,
      unknown: [],
      unknownFiles: 0,
    })
  })

  it("names files of any kind that are too large to be read, source files first", () => {
    const large = "larger than 2000000 bytes"
    const files = [
      file("a.md", "markdown", large),
      { ...file("b.xdy", "", large), language: undefined },
      file("c.ts", "typescript", "minified"),
      file("d.ml", "ocaml", large),
      file("e.py", "python", large),
    ]
    assert.deepInclude(NotOutlined.count(files, []), {
      languages: [],
      refused: [
        { path: "e.py", note: large },
        { path: "c.ts", note: "minified" },
        { path: "a.md", note: large },
      ],
      refusedFiles: 5,
      unknownFiles: 0,
    })
    assert.deepStrictEqual(NotOutlined.count(files.slice(0, 1), []).refused, [{ path: "a.md", note: large }])
  })

  it("counts source files that are expected to have symbols, and no recipes of builds", () => {
    const files = [
      file("a.ml", "ocaml"),
      file("Makefile", "makefile"),
      file("a.bat", "batch"),
      file("a.cmake", "cmake"),
    ]
    assert.deepStrictEqual(NotOutlined.count(files, []).languages, [{ language: "ocaml", files: 1 }])
  })

  it("names the languages with most files first, and those with as many by their names", () => {
    const files = [file("a.pas", "pascal"), file("a.ml", "ocaml"), file("b.ml", "ocaml"), file("a.f90", "fortran")]
    assert.deepStrictEqual(NotOutlined.count(files, []).languages, [
      { language: "ocaml", files: 2 },
      { language: "fortran", files: 1 },
      { language: "pascal", files: 1 },
    ])
  })

  it("counts text of unknown kind by its extension", () => {
    const unknown = ["a.xdy", "b.dot", "x/c.XDY", "LICENSE", ".gitignore"].map((path) => ({
      ...file(path, "", UNKNOWN_LANGUAGE),
      language: undefined,
    }))
    const picture = { ...file("a.png", "", "binary, 3 bytes"), language: undefined }
    assert.deepInclude(NotOutlined.count([...unknown, picture], []), {
      unknown: [
        { extension: "xdy", files: 2 },
        { extension: "dot", files: 1 },
      ],
      unknownFiles: 3,
    })
  })
})

describe("NotOutlined.count, its borders", () => {
  it("refuses files with a note and without symbols that are not only cut short", () => {
    const source = file("a.ts", "typescript", "minified")
    const refused = (change: object) => NotOutlined.count([{ ...source, ...change }], []).refusedFiles
    assert.strictEqual(refused({}), 1)
    assert.strictEqual(refused({ note: undefined }), 0)
    assert.strictEqual(refused({ cut: "work" }), 0)
    assert.strictEqual(refused({ symbols: 1 }), 0)
    assert.strictEqual(refused({ language: "markdown" }), 0)
  })

  it("names ten unknown extensions, and counts all files", () => {
    const files = Array.from({ length: 12 }, (_, n) => ({
      ...file(`a.q${"abcdefghijkl".charAt(11 - n)}`, "", UNKNOWN_LANGUAGE),
      language: undefined,
    }))
    const counted = NotOutlined.count(files, [])
    assert.deepStrictEqual(
      counted.unknown.map(({ extension }) => extension.replace(/^.*q/, "")),
      Array.from("abcdefghij"),
    )
    assert.strictEqual(counted.unknownFiles, 12)
  })
})

describe("NotOutlined.countUnreadable", () => {
  it("counts files and folders apart, and names ten of them", () => {
    const paths = ["lib/", "src/a/", ...Array.from({ length: 9 }, (_, n) => `f${n}/a.ts`)]
    assert.deepStrictEqual(NotOutlined.countUnreadable(paths), { files: 9, folders: 2, paths: paths.slice(0, 10) })
    assert.deepStrictEqual(NotOutlined.countUnreadable([]), { files: 0, folders: 0, paths: [] })
  })
})
