import { assert, describe, it } from "@effect/vitest"
import * as Tokenizer from "../../src/search/Tokenizer.ts"
import { anyText } from "../utils/anyText.ts"

const texts = anyText()

describe("Tokenizer.words", () => {
  it.each([
    ["readFile2", "read file 2 readfile2"],
    ["HTTPServer", "http server httpserver"],
    ["snake_case_name", "snake case name snakecasename"],
    ["kebab-case.ts", "kebab case ts"],
    ["__init__", "init"],
    ["ÉtéBleu", "été bleu étébleu"],
    ["cafe\u0301", "café"],
    ["ｒｅａｄＦｉｌｅ２", "read file 2 readfile2"],
    ["ﬁnd ﾃﾞｰﾀ", "find データ"],
    ["探索モデル", "探索モデル"],
    ["a + b;", "a b"],
    ["", ""],
  ])("splits %s", (text, words) => {
    assert.strictEqual(Tokenizer.words(text).join(" "), words)
  })

  it.prop("returns letters and digits only, whatever the text", [texts], ([text]) => {
    for (const word of Tokenizer.words(text)) assert.match(word, /^[\p{L}\p{M}\p{N}]+$/u)
  })
})

describe("Tokenizer.terms", () => {
  it("are the words that are not stop words, stemmed and in order", () => {
    assert.deepStrictEqual(Tokenizer.terms("How does the Forest find nodes, and which readFile is it?"), [
      "forest",
      "find",
      "nod",
      "read",
      "fil",
      "readfil",
    ])
  })
})

describe("Tokenizer.partTerms", () => {
  it("has the parts of identifiers and not the whole ones, so that neighbours stay neighbours", () => {
    assert.deepStrictEqual(Tokenizer.partTerms("readFile of the cached_node"), ["read", "fil", "cach", "nod"])
  })
})

describe("Tokenizer.initials", () => {
  it("are those of three or four words in a row", () => {
    assert.deepStrictEqual(Tokenizer.initials("Content-Security-Policy header"), ["csp", "sph", "csph"])
    assert.deepStrictEqual(Tokenizer.initials("Öffentlich Rechtlicher Rundfunk"), ["örr"])
  })

  it("have no part of identifiers, numbers and words that hold a sentence together", () => {
    assert.deepStrictEqual(Tokenizer.initials("list of files in 200 read_all folders"), [])
  })
})

describe("Tokenizer.joinedTerms", () => {
  it("writes two words that stand side by side as one, stop words too", () => {
    assert.deepStrictEqual(Tokenizer.joinedTerms("clean up test_paths"), ["cleanup", "uptestpath"])
  })

  it("has none for a single word", () => {
    assert.deepStrictEqual(Tokenizer.joinedTerms("monkeypatch"), [])
  })
})

describe("Tokenizer.stem", () => {
  it.each([
    "cache caches cached caching",
    "class classes",
    "query queries",
    "render renders rendered rendering renderer",
    "run running",
    "configure configured configuration",
    "serialize serialise serializer serialization",
    "iterate iterates iterator iteration",
    "string strings",
  ])("is the same for %s", (words) => {
    const stems = words
      .split(" ")
      .filter((word) => word.length > 3)
      .map(Tokenizer.stem)
    assert.lengthOf(new Set(stems), 1)
  })

  it("leaves short words and words that are not English", () => {
    for (const word of ["use", "red", "string", "été", "x86", "探索"]) assert.strictEqual(Tokenizer.stem(word), word)
  })
})

describe("Tokenizer.rootTerms", () => {
  it.each([
    ["utility", "utils"],
    ["management", "manager"],
    ["conformance", "conforms"],
    ["globally", "global"],
    ["gracefully", "grace"],
    ["conditionally", "condition"],
    ["traversal", "traverse"],
  ])("has for %s the term of %s", (word, root) => {
    assert.include(Tokenizer.rootTerms(Tokenizer.stem(word)), Tokenizer.stem(root))
  })

  it("has the longest root first, since it is the nearest", () => {
    const roots = Tokenizer.rootTerms(Tokenizer.stem("conditionally"))
    assert.isBelow(roots.indexOf("conditional"), roots.indexOf(Tokenizer.stem("condition")))
  })

  it("has none for a word without such an ending, a short one, a number and other scripts", () => {
    for (const word of ["database", "signatur", "api", "2024", "größe", "検索"]) {
      assert.deepStrictEqual(Tokenizer.rootTerms(word), [])
    }
  })

  it("has no root of less than four letters", () => {
    assert.deepStrictEqual(Tokenizer.rootTerms(Tokenizer.stem("dual")), [])
  })
})

describe("Tokenizer.codeNames", () => {
  it("are the names in a question that look like code", () => {
    assert.deepStrictEqual(
      Tokenizer.codeNames("Does readFile call read_all() or Forest.append, as HTTPServer and I do?"),
      ["readFile", "read_all", "Forest.append", "HTTPServer"],
    )
  })
})

describe("Tokenizer.names", () => {
  it("are all names in a text, plain words too, each once", () => {
    assert.deepStrictEqual(Tokenizer.names("Forest.append(), read file\nread"), ["Forest.append", "read", "file"])
  })
})

describe("Tokenizer.parts", () => {
  it("are the parts of identifiers without the whole", () => {
    assert.deepStrictEqual(Tokenizer.parts("readFile2 HTTP_server"), ["read", "file", "2", "http", "server"])
  })
})
