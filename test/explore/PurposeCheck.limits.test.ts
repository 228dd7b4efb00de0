/**
 * How many words of which kinds make a purpose pass. The words of the index are given, with how many symbols have them.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PurposeCheck from "../../src/explore/PurposeCheck.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import type { Index } from "../../src/index/IndexStore.ts"
import * as Tokenizer from "../../src/search/Tokenizer.ts"

interface Given {
  /** How many symbols have a word. */
  readonly counts?: Readonly<Record<string, number>>
  readonly symbols?: number
  readonly found?: ReadonlyArray<IndexEntry>
  /** Collects what the search is asked. */
  readonly asked?: Array<unknown>
}

/** The three requests that a check makes of an index. */
const indexOf = ({ asked = [], counts = {}, found = [], symbols = 100 }: Given): Index =>
  ({
    termCounts: () =>
      Effect.succeed({ counts: new Map(Object.entries(counts)), symbols, anywhere: new Set(Object.keys(counts)) }),
    search: (...request: ReadonlyArray<unknown>) => {
      asked.push(request)
      return Effect.succeed(found.map((entry) => ({ entry })))
    },
    find: () => Effect.succeed([]),
  }) as never

const entry = (name = "go", path = "a.ts", container?: string, signature = `${name}()`) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    signature,
    startLine: 1,
    endLine: 3,
    hash: name,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...(container !== undefined && { container }),
  })

const candidate = (text: string, change: Partial<PurposeCheck.Candidate> = {}): PurposeCheck.Candidate => ({
  entry: entry(),
  text,
  source: [],
  file: "",
  ...change,
})

const weak = (text: string, change: Partial<PurposeCheck.Candidate> = {}, given: Given = {}) =>
  Effect.map(PurposeCheck.check(indexOf(given), [candidate(text, change)]), ([result]) => result?.weak)

const GENERAL = "only general words, which fit any symbol"
const BUT_ONE = "only general words, but for one that is not in its source"
const COMMON = "fits other symbols as well"

describe("PurposeCheck.check, its limits", () => {
  it.effect.each<readonly [text: string, reason: string | undefined, change?: Partial<PurposeCheck.Candidate>]>([
    // Five vague words are general, six describe something.
    ["proper care detail easy step", GENERAL],
    ["proper care detail easy step outcome", undefined],
    // One word beside three general ones, unless the source has it.
    ["handle data process harbour", BUT_ONE],
    ["handle data harbour", undefined],
    ["handle data process harbour", undefined, { source: ["const harbour = 1"] }],
    ["handle data process harbour", undefined, { source: [...Array.from({ length: 1_999 }, () => ""), "harbour"] }],
    ["handle data process harbour", BUT_ONE, { source: [...Array.from({ length: 2_000 }, () => ""), "harbour"] }],
    ["handle data process harbour 404", undefined, { file: "return 404" }],
    ["handle data process harbour 404", BUT_ONE, { file: "return 4040" }],
    ["handle data process harbour proper care", BUT_ONE],
    ["handle data process harbour proper care detail", undefined],
    ["handle data process harbour glacier", undefined],
    ["handle data process item thing entity unit value harbour", BUT_ONE],
    ["handle data process item thing entity unit value object harbour", undefined],
    // Its name alone, and its path alone.
    ["harbour of data", "says no more than its name", { entry: entry("harbour") }],
    [
      "harbour of data",
      "says no more than its signature and path",
      { entry: entry("go", "a.ts", undefined, "go(harbour)") },
    ],
    ["handle data process harbour", undefined, { entry: entry("go", "harbour.ts") }],
    ["harbour of data glacier", undefined, { entry: entry("harbour") }],
    ["proper care of the harbour", undefined, { entry: entry("harbour") }],
  ])("judges %j as %j", ([text, reason, change]) =>
    Effect.map(weak(text, change), (found) => assert.strictEqual(found, reason, text)),
  )

  it.effect.each<readonly [word: string, file: string, names: boolean]>([
    ["get_item", "get_item", true],
    ["get__item", "get__item", true],
    ["getItem", "a.getItem()", true],
    ["404", "[404]", true],
    ["getItem", "getItems", false],
    ["getItem", "forgetItem", false],
    ["getItem", "set", false],
    ["40", "40", false],
    ["_item", "_item", false],
    ["item_1", "item_1", false],
    ["Item", "Item", false],
  ])("takes %s for code of a file with `%s`: %s", ([word, file, names]) =>
    Effect.map(weak(`Handle the value, as ${word} do.`, { file, source: [file] }, { counts: { item: 1 } }), (found) =>
      assert.strictEqual(found, names ? undefined : GENERAL),
    ),
  )

  it.effect.each<readonly [counts: Readonly<Record<string, number>>, symbols: number, reason: string | undefined]>([
    [{ harbour: 11 }, 100, COMMON],
    [{ harbour: 10 }, 100, undefined],
    [{ harbour: 51 }, 1_000, COMMON],
    [{ harbour: 50 }, 1_000, undefined],
    [{ harbour: 40, glacier: 40 }, 100, COMMON],
    [{ harbour: 40, glacier: 25 }, 100, undefined],
    [{ harbour: 900, glacier: 40 }, 1_000, undefined],
    [{ harbour: 90, glacier: 90, violin: 90 }, 100, COMMON],
    [{ harbour: 90, glacier: 90, violin: 90, barrel: 90 }, 100, undefined],
    [{ harbour: 0 }, 0, undefined],
  ])("judges words that so many symbols have, %j of %i, as %j", ([counts, symbols, reason]) => {
    const stems = Object.fromEntries(
      Object.entries(counts).map(([word, count]) => [Tokenizer.partTerms(word)[0] ?? word, count]),
    )
    return Effect.map(weak(Object.keys(counts).join(" "), {}, { counts: stems, symbols }), (found) =>
      assert.strictEqual(found, reason),
    )
  })

  it.effect("names five words that do not occur, and says which occur inside of others", () =>
    Effect.gen(function* () {
      const file = `${"\n".repeat(30)}// Leaves the port well prepared.\n`
      const reason = (words: string, change: Partial<PurposeCheck.Candidate> = {}, given: Given = {}) =>
        weak(words, { file, ...change }, given)
      const begin = "says nothing of its code: its other words are general, and "
      assert.strictEqual(yield* reason("Glacier violin"), `${begin}"glacier", "violin" do not occur in a.ts`)
      assert.strictEqual(yield* reason("Glacier"), `${begin}"glacier" does not occur in a.ts`)
      assert.strictEqual(yield* reason("Glacier glacier"), `${begin}"glacier" does not occur in a.ts`)
      assert.strictEqual(
        yield* reason("glacier violin barrel trumpet garden"),
        `${begin}"glacier", "violin", "barrel", "trumpet", "garden" do not occur in a.ts`,
      )
      assert.strictEqual(
        yield* reason("glacier violin barrel trumpet garden velvet"),
        `${begin}"glacier", "violin", "barrel", "trumpet", "garden" and the like do not occur in a.ts`,
      )
      assert.strictEqual(yield* reason("eave pare"), `${begin}"eave", "pare" occur only inside of other words in a.ts`)
      assert.strictEqual(yield* reason("eave"), `${begin}"eave" occurs only inside of other words in a.ts`)
      assert.strictEqual(yield* reason("Data of the glacier"), `${begin}"glacier" does not occur in a.ts`)
      // One word of the file is enough, and so is a number of it.
      assert.isUndefined(yield* reason("Glacier harbour", { file: `${file}harbour` }))
      assert.isUndefined(yield* reason("Glacier violin 404", { file: `${file}404` }))
      assert.isUndefined(yield* reason("Glacier violin", { file: "" }))
    }),
  )

  it.effect("blames no question for words that its symbol does not have", () =>
    Effect.gen(function* () {
      const file = `${"\n".repeat(30)}// Leaves the port well prepared.\n`
      assert.strictEqual(
        yield* weak("Makes everything ready. Where do glaciers go?", { file, entry: entry("violin") }, { found: [] }),
        "its sentence has only general words, which fit any symbol; one word of the source is enough",
      )
    }),
  )

  it.effect("takes a purpose of foreign words that the search finds its symbol by, among the first five", () =>
    Effect.gen(function* () {
      const file = `${"\n".repeat(30)}// Leaves the port well prepared.\n`
      const found = (...entries: ReadonlyArray<IndexEntry>) =>
        weak("Glacier of violin going", { file, entry: entry("violin") }, { found: entries })
      assert.isUndefined(yield* found(entry("other"), entry("violin")))
      assert.isString(yield* found(entry("violin", "b.ts")))
      assert.isString(yield* found(entry("other")))
      assert.isString(yield* found(entry("violin", "a.ts", "Box")))
      const asked: Array<unknown> = []
      yield* weak("Glacier of violins barrel", { file, entry: entry("violin") }, { asked })
      assert.deepStrictEqual(asked, [["Glacier of barrel", { limit: 5 }]])
    }),
  )

  it.effect("leaves purposes of earlier calls out that are given again", () =>
    Effect.gen(function* () {
      const words = [
        "apple",
        "banana",
        "cherry",
        "damson",
        "elder",
        "fig",
        "grape",
        "hazel",
        "iris",
        "juniper",
        "kiwi",
        "lemon",
      ]
      const file = words.join(" ")
      const salads = words.map((word, n) =>
        candidate(
          `Lets callers ${word} ${words[(n + 5) % 12]} together with ${words[(n + 7) % 12]} ${words[(n + 3) % 12]}. When does ${words[(n + 5) % 12]} matter?`,
          {
            entry: entry(word),
            file,
          },
        ),
      )
      const reasons = (
        candidates: ReadonlyArray<PurposeCheck.Candidate>,
        earlier: ReadonlyArray<PurposeCheck.Candidate>,
      ) =>
        Effect.map(PurposeCheck.check(indexOf({}), candidates, earlier), (results) => results.map(({ weak }) => weak))
      const [all = ""] = yield* reasons(salads, [])
      assert.match(all, /^words of its file in a sentence that goes as those of 11 other symbols do$/)
      assert.deepStrictEqual(yield* reasons(salads.slice(0, 1), salads.slice(1)), [all])
      assert.deepStrictEqual(yield* reasons(salads.slice(0, 1), salads), [all])
    }),
  )
})

describe("PurposeCheck.findRepetition", () => {
  const same = (text: string, ...names: ReadonlyArray<string>) =>
    names.map((name) => candidate(text, { entry: entry(name) }))

  it("names the sentence of most symbols, cut after 60 characters, if half of them repeat one", () => {
    const reason = PurposeCheck.findRepetition([
      ...same("Opens.", "a", "b", "c"),
      ...same("x".repeat(61), "d", "e", "f", "g"),
      ...same("Shuts.", "h"),
    ])
    assert.match(
      reason ?? "",
      new RegExp(`^one sentence for 4 symbols \\("${"x".repeat(60)}"\\); nothing was recorded`),
    )
    const three = same("Opens.", "a", "b", "c")
    const others = (...names: ReadonlyArray<string>) => names.flatMap((name) => same(`Opens ${name}.`, name))
    assert.isString(PurposeCheck.findRepetition([...three, ...others("x", "y", "z")]))
    assert.isUndefined(PurposeCheck.findRepetition([...three, ...others("x", "y", "z", "w")]))
    assert.isUndefined(PurposeCheck.findRepetition(three.slice(1)))
    assert.isUndefined(PurposeCheck.findRepetition([]))
    // Overloads are one symbol.
    assert.isUndefined(PurposeCheck.findRepetition(same("Opens.", "a", "a", "b")))
  })
})

describe("PurposeCheck.toStored", () => {
  it("keeps sixty words and six hundred characters, and cuts more at the last end of a sentence", () => {
    const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`)
    assert.strictEqual(PurposeCheck.toStored(words(60).join("  ")), words(60).join(" "))
    assert.strictEqual(PurposeCheck.toStored(words(61).join(" ")), `${words(60).join(" ")}…`)
    assert.strictEqual(PurposeCheck.toStored("x".repeat(600)), "x".repeat(600))
    assert.strictEqual(PurposeCheck.toStored("x".repeat(601)), `${"x".repeat(599)}…`)
    assert.strictEqual(PurposeCheck.toStored(`Opens. Shuts! ${words(60).join(" ")}`), "Opens. Shuts!")
    assert.strictEqual(
      PurposeCheck.toStored(`${words(59).join(" ")} ends? ${words(3).join(" ")}`),
      `${words(59).join(" ")} ends?`,
    )
    assert.strictEqual(PurposeCheck.toStored(`Opens. ${"x".repeat(593)}! y`), "Opens.")
    assert.strictEqual(PurposeCheck.toStored(`${"x".repeat(598)} ${"y".repeat(9)}`), `${"x".repeat(598)}…`)
  })
})

describe("PurposeCheck.findEvidence", () => {
  it("finds three lines at most, the words of a line that is chosen no more, and rare words first", () => {
    const find = (
      telling: ReadonlyArray<string>,
      source: ReadonlyArray<string>,
      counts: Readonly<Record<string, number>> = {},
    ) => PurposeCheck.findEvidence(telling, source, new Map(Object.entries(counts)), 100)
    assert.deepStrictEqual(find(["velvet"], ["a", "velvet", "velvet"]), [1])
    assert.deepStrictEqual(
      find(["barrel", "garden", "violin", "trumpet"], ["barrel", "garden", "violin", "trumpet"]),
      [0, 1, 2],
    )
    assert.deepStrictEqual(find(["barrel", "garden"], ["garden", "barrel garden"]), [1])
    const counts = { barrel: 90, garden: 90, violin: 90, trumpet: 0 }
    assert.deepStrictEqual(
      find(["barrel", "garden", "violin", "trumpet"], ["barrel", "garden", "violin", "trumpet"], counts),
      [0, 1, 3],
    )
    assert.deepStrictEqual(find(["barrel"], [...Array.from({ length: 2_000 }, () => ""), "barrel"]), [])
    assert.deepStrictEqual(find(["barrel"], [...Array.from({ length: 1_999 }, () => ""), "barrel"]), [1_999])
    assert.deepStrictEqual(find(["barrel"], [`${" ".repeat(995)}barrel`, `${" ".repeat(994)}barrel`]), [1])
  })
})

describe("PurposeCheck.codeTerms", () => {
  it.each<readonly [text: string, names: ReadonlyArray<string>]>([
    ["Opens `Door` and `$lock`.", ["Door", "lock"]],
    ["Opens `a door`, `a-b` and `door.js`.", []],
    ["Calls open() and Door.$lock().", ["open", "lock"]],
    ["Calls open(door).", []],
    ["Reads door_lock, _door_lock and door__lock2.", ["door_lock", "_door_lock", "door__lock2"]],
    ["Reads Door_lock, door_, _door, DOOR_LOCK and 2_doors.", []],
    ["Undoes Door.open and Door.lock_all.", ["open", "lock_all"]],
    ["Undoes door.open, Door.Open and Door.to.", []],
    ["Reads Door.json, Node.cfg and `null`, `GET`.", []],
    ["Follows D.opened.", ["opened"]],
  ])("finds in %j the names %j", (text, names) => {
    assert.deepStrictEqual(Array.from(PurposeCheck.codeTerms(text).keys()).sort(), names.toSorted())
  })
})

describe("PurposeCheck.bearsOut", () => {
  it("needs one telling word of a text in a line", () => {
    const bears = (line: string) => PurposeCheck.bearsOut(entry("violin"), "Violin of the garden and harbour", line)
    assert.deepStrictEqual(["garden", "a harbour b", "violin", "of the and", ""].map(bears), [
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
