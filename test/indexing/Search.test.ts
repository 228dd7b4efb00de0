import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Search from "../../src/indexing/Search.ts"

const texts = FastCheck.string({ unit: "binary" })

describe("Search.words", () => {
  it.each([
    ["readFile2", "read file 2 readfile2"],
    ["HTTPServer", "http server httpserver"],
    ["snake_case_name", "snake case name snakecasename"],
    ["kebab-case.ts", "kebab case ts"],
    ["__init__", "init"],
    ["ÉtéBleu", "été bleu étébleu"],
    ["cafe\u0301", "café"],
    ["探索モデル", "探索モデル"],
    ["a + b;", "a b"],
    ["", ""],
  ])("takes %s apart", (text, words) => {
    assert.strictEqual(Search.words(text).join(" "), words)
  })

  it.prop("finds letters and digits only, whatever the text", [texts], ([text]) => {
    for (const word of Search.words(text)) assert.match(word, /^[\p{L}\p{M}\p{N}]+$/u)
  })
})

describe("Search.terms", () => {
  it("are the words that say something, in order and without their endings", () => {
    assert.deepStrictEqual(Search.terms("How does the Forest find nodes, and which readFile is it?"), [
      "forest",
      "find",
      "nod",
      "read",
      "fil",
      "readfil",
    ])
  })
})

describe("Search.asked", () => {
  it("has each term of a question once", () => {
    assert.deepStrictEqual(Search.asked("a node, the nodes"), ["nod"])
  })

  it("has no more than a search can take", () => {
    assert.lengthOf(Search.asked(Array.from({ length: 1000 }, (_, n) => `word${n}`).join(" ")), 64)
  })
})

describe("Search.stem", () => {
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
  ])("is one for %s", (words) => {
    const stems = words
      .split(" ")
      .filter((word) => word.length > 3)
      .map(Search.stem)
    assert.lengthOf(new Set(stems), 1)
  })

  it("leaves short words, and what is no English, as they are", () => {
    for (const word of ["use", "red", "string", "été", "x86", "探索"]) assert.strictEqual(Search.stem(word), word)
  })
})

describe("Search.names", () => {
  it("are what in a question looks like code", () => {
    assert.deepStrictEqual(Search.names("Does readFile call read_all() or Forest.append, as HTTPServer and I do?"), [
      "readFile",
      "read_all",
      "Forest.append",
      "HTTPServer",
    ])
  })
})

describe("Search.rank", () => {
  const candidate = (id: number, change: Partial<Search.Candidate> = {}): Search.Candidate => ({
    id,
    file: id,
    kind: "function",
    isAside: false,
    usedBy: 0,
    match: 1,
    fileMatch: 1,
    named: undefined,
    ...change,
  })
  const order = (question: string, candidates: ReadonlyArray<Search.Candidate>) =>
    Search.rank(question, candidates).map(({ id }) => id)

  it("puts the better match first, and of equals the one that is used more", () => {
    assert.deepStrictEqual(
      order("forest", [candidate(1), candidate(2, { match: 2 }), candidate(3, { usedBy: 9 })]),
      [2, 3, 1],
    )
  })

  it("counts the match of the file", () => {
    assert.deepStrictEqual(order("forest", [candidate(1), candidate(2, { fileMatch: 1.5 })]), [2, 1])
  })

  it("puts tests after the code, but less so when they are asked for", () => {
    const candidates = [candidate(1, { isAside: true, match: 2 }), candidate(2)]
    assert.deepStrictEqual(order("append a node", candidates), [2, 1])
    assert.deepStrictEqual(order("which test appends a node", candidates), [1, 2])
  })

  it("does not let one file have all the first places", () => {
    const crowd = [1, 2, 3].map((id) => candidate(id, { file: 1 }))
    assert.strictEqual(order("forest", [...crowd, candidate(4, { match: 0.9 })])[1], 4)
  })

  it("puts what does something before a field of the same words, and what the question names before others", () => {
    const [field, plain, named] = [candidate(1, { kind: "field" }), candidate(2), candidate(3, { named: "within" })]
    assert.deepStrictEqual(order("forest", [field, plain, named]), [3, 2, 1])
  })

  it.prop(
    "gives no symbol that is not named more than `most` says",
    [
      FastCheck.record({
        match: FastCheck.double({ min: 0, max: 100, noNaN: true }),
        fileMatch: FastCheck.double({ min: 0, max: 100, noNaN: true }),
        isAside: FastCheck.boolean(),
        kind: FastCheck.constantFrom("function", "field"),
        usedBy: FastCheck.nat(100_000),
      }),
    ],
    ([each]) => {
      const [ranked] = Search.rank("forest", [candidate(1, each)])
      const value = Search.relevance(each.match, each.fileMatch) * (each.isAside ? Search.weightOfAsides("forest") : 1)
      assert.isAtMost(ranked?.score ?? Number.NaN, Search.most(value))
    },
  )

  it.prop(
    "puts a symbol that is asked for by its name alone before all others",
    [FastCheck.array(FastCheck.float({ min: 0, max: 1000, noNaN: true }))],
    ([matches]) => {
      const others = matches.map((match, n) => candidate(n + 1, { match, usedBy: n }))
      const named = candidate(0, { match: 0, fileMatch: 0, isAside: true, named: "alone" })
      assert.strictEqual(order("x", [...others, named])[0], 0)
    },
  )
})

describe("Search.unlikeness", () => {
  const unlikeness = (asked: string, name: string) => Search.unlikeness(asked)(name.split(".").at(-1) ?? "", name)

  it.each([
    ["Append", "append", 0],
    ["apend", "append", 1],
    ["Forest.append()", "Forest.append", 0],
    ["Forest#append", "Forest.append", 0],
    ["Tree.append", "Forest.append", 1],
  ])("of %s and %s is %d", (asked, name, expected) => {
    assert.strictEqual(unlikeness(asked, name), expected)
  })

  it("is small for a slip of the pen, larger for a beginning, largest for a part", () => {
    const near = ["append", "apend", "appendAllNodes", "unappended"].map((name) => unlikeness("append", name) ?? 9)
    assert.deepStrictEqual(near.toSorted(), near)
    assert.isBelow(near[3] ?? 9, 9)
  })

  it("is out of the question for another word", () => {
    assert.isUndefined(unlikeness("append", "render"))
    assert.isUndefined(unlikeness("x", "index"))
  })
})
