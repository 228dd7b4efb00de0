import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as SymbolDiff from "../../src/review/SymbolDiff.ts"
import type { SymbolVersion } from "../../src/review/SymbolVersion.ts"
import { versionsOf } from "./outlined.ts"

/** The texts of files before and after. */
type Texts = Readonly<Record<string, readonly [before: string, after: string]>>

const compare = (texts: Texts) =>
  Effect.map(
    Effect.forEach(Object.entries(texts), ([path, [before, after]]) =>
      Effect.all({
        path: Effect.succeed(path),
        before: versionsOf(path, before),
        after: versionsOf(path, after),
      }),
    ),
    SymbolDiff.compare,
  )

/** A line for each change, with what is in a whole left out. */
const told = (changes: ReadonlyArray<SymbolDiff.SymbolChange>) =>
  SymbolDiff.withoutParts(changes).map((change) => {
    const { path, qualifiedName } = SymbolDiff.subjectOf(change)
    const extent = change.change === "changed" ? ` ${change.extent}` : ""
    const from =
      change.change === "moved" || change.change === "renamed"
        ? ` from ${change.before.path} ${change.before.qualifiedName}`
        : ""
    return `${change.change}${extent} ${path} ${qualifiedName}${from}`
  })

const tell = (texts: Texts) => Effect.map(compare(texts), told)

const add = "export function add(one: number, other: number) {\n  // The sum of two.\n  return one + other\n}\n"
const drop = "export function drop(list: string[]) {\n  // All but the last.\n  return list.slice(0, -1)\n}\n"
const store = (body: string, more = "") =>
  `export class Store {\n  read(path: string) {\n    ${body}\n    const file = open(path)\n    file.lock()\n    return file.text()\n  }\n${more}}\n`

describe("SymbolDiff.compare", () => {
  it.effect("tells nothing of symbols that only stand on other lines", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tell({ "a.ts": [add + drop, `// A comment.\n\n${drop}${add}`] }), [])
    }),
  )

  it.effect("tells nothing of a change of layout, and of a change beside it that change alone", () =>
    Effect.gen(function* () {
      const wide = (text: string) => text.replaceAll(/^ +/gm, "$&$&")
      const wrapped = wide(add).replace("(one: number, other: number)", "(\n  one: number,\n  other: number,\n)")
      assert.deepStrictEqual(yield* tell({ "a.ts": [add + drop, drop + wrapped] }), [])
      const python = "class A:\n  def b(self):\n    if c:\n      d()\n      e()\n"
      assert.deepStrictEqual(yield* tell({ "a.py": [python, wide(python)] }), [])
      assert.deepStrictEqual(yield* tell({ "a.ts": [add, wrapped.replace("one + other", "other + one")] }), [
        "changed body a.ts add",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [add, wrapped.replace("other: number", "other: bigint")] }), [
        "changed signature a.ts add",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [store("a()"), wide(store("b()"))] }), [
        "changed members a.ts Store",
        "changed body a.ts Store.read",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [add, ""], "b.ts": ["", wrapped] }), [
        "moved b.ts add from a.ts add",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [add, add.replace("The sum", "The  sum")] }), [
        "changed body a.ts add",
      ])
    }),
  )

  it.effect("leaves out what its members imply, and not a whole with changes of its own", () =>
    Effect.gen(function* () {
      const shown = (texts: Texts) =>
        Effect.map(compare(texts), (changes) =>
          SymbolDiff.withoutImplied(changes).map((change) => {
            const { qualifiedName } = SymbolDiff.subjectOf(change)
            return `${change.change} ${change.change === "changed" ? change.extent : "-"} ${qualifiedName}`
          }),
        )
      assert.deepStrictEqual(yield* shown({ "a.ts": [store("a()"), store("b()")] }), ["changed body Store.read"])
      const extended = store("b()").replace("class Store", "class Store extends Base")
      assert.deepStrictEqual(yield* shown({ "a.ts": [store("a()"), extended] }), [
        "changed signature Store",
        "changed body Store.read",
      ])
      assert.deepStrictEqual(yield* shown({ "a.ts": ["", store("a()")], "b.ts": [add, ""] }), [
        "added - Store",
        "removed - add",
      ])
    }),
  )

  it.effect("takes no file for a renamed one that kept a symbol, or for its new name that had one before", () =>
    Effect.gen(function* () {
      // A symbol with another source is paired with its former self by its name, in the file that the old one became.
      const small = "export const limit = 3\n"
      const larger = "export const limit = 4\n"
      const moved = "moved new/a.ts add from old/a.ts add"
      assert.deepStrictEqual(
        (yield* tell({ "old/a.ts": [add + small, ""], "new/a.ts": ["", add + larger] })).filter((line) =>
          line.includes("limit"),
        ),
        ["changed signature new/a.ts limit"],
      )
      for (const texts of [
        { "old/a.ts": [add + small, drop], "new/a.ts": ["", add + larger] },
        { "old/a.ts": [add + small, ""], "new/a.ts": [drop, drop + add + larger] },
      ] as const) {
        const lines = yield* tell(texts)
        assert.include(lines, moved)
        assert.includeMembers([...lines], ["added new/a.ts limit", "removed old/a.ts limit"])
      }
    }),
  )

  it.effect("tells what was added and removed, by file and line, and what is gone last", () =>
    Effect.gen(function* () {
      const other = "export const limit = 3\n"
      assert.deepStrictEqual(
        yield* tell({ "a.ts": [drop, other + add], "b.ts": ["", "export type Name = string\n"] }),
        ["added a.ts limit", "added a.ts add", "removed a.ts drop", "added b.ts Name"],
      )
    }),
  )

  it.effect("tells a change of the signature from one of the body", () =>
    Effect.gen(function* () {
      const signature = add.replace("other: number)", "other: bigint)")
      const body = drop.replace("-1", "-2")
      assert.deepStrictEqual(yield* tell({ "a.ts": [add + drop, signature + body] }), [
        "changed signature a.ts add",
        "changed body a.ts drop",
      ])
    }),
  )

  it.effect("tells a class that changed in its members from one that changed beside them", () =>
    Effect.gen(function* () {
      const before = store("check(path)")
      assert.deepStrictEqual(yield* tell({ "a.ts": [before, store("checkTwice(path)")] }), [
        "changed members a.ts Store",
        "changed body a.ts Store.read",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [before, store("check(path)", "  private limit = 3\n")] }), [
        "changed body a.ts Store",
      ])
    }),
  )

  it.effect("follows a symbol to another file, and leaves its members out", () =>
    Effect.gen(function* () {
      const text = store("check(path)")
      assert.deepStrictEqual(yield* tell({ "a.ts": [add + text, add], "b.ts": [drop, drop + text] }), [
        "moved b.ts Store from a.ts Store",
      ])
    }),
  )

  it.effect("follows a symbol to another name, in its file first", () =>
    Effect.gen(function* () {
      const renamed = add.replace("function add", "function sum")
      assert.deepStrictEqual(
        yield* tell({ "a.ts": [add, renamed], "b.ts": [drop, drop + renamed.replace("sum", "plus")] }),
        ["renamed a.ts sum from a.ts add", "added b.ts plus"],
      )
    }),
  )

  it.effect("takes names with any characters", () =>
    Effect.gen(function* () {
      const private_ = (name: string) =>
        `export class Store {\n  ${name}(path: string) {\n    const file = open(path)\n    file.lock()\n    return file.text()\n  }\n}\n`
      assert.deepStrictEqual(yield* tell({ "a.ts": [private_("#begin"), private_("#start$")] }), [
        "changed members a.ts Store",
        "renamed a.ts Store.#start$ from a.ts Store.#begin",
      ])
    }),
  )

  it.prop(
    "follows a symbol to any name",
    [FastCheck.string({ minLength: 1 }), FastCheck.string({ minLength: 1 })],
    ([one, other]) => {
      const version = (name: string): SymbolVersion => ({
        path: "a.ts",
        name,
        container: undefined,
        qualifiedName: name,
        kind: "function",
        signature: "",
        startLine: 1,
        endLine: 2,
        source: `${name}${"-".repeat(60)}`,
        hash: name,
        tokens: undefined,
        ownSource: "",
        majorWhen: "always",
        purpose: undefined,
        hasComment: false,
      })
      const changes = SymbolDiff.compare([{ path: "a.ts", before: [version(one)], after: [version(other)] }])
      assert.deepStrictEqual(told(changes), one === other ? [] : [`renamed a.ts ${other} from a.ts ${one}`])
    },
  )

  it.effect("does not take short definitions for each other", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tell({ "a.ts": ["export const one = 1\n", "export const uno = 1\n"] }), [
        "added a.ts uno",
        "removed a.ts one",
      ])
    }),
  )

  it.effect("follows a symbol that changed in a file that was renamed, be it in case alone", () =>
    Effect.gen(function* () {
      const changed = drop.replace("-1", "-2")
      assert.deepStrictEqual(yield* tell({ "list.ts": [add + drop, ""], "arrays.ts": ["", add + changed] }), [
        "moved arrays.ts add from list.ts add",
        "changed body arrays.ts drop",
      ])
      assert.deepStrictEqual(yield* tell({ "List.ts": ["", changed], "list.ts": [drop, ""] }), [
        "changed body List.ts drop",
      ])
    }),
  )

  it.effect("takes no file for a renamed one that has symbols left, nor a new file of another name", () =>
    Effect.gen(function* () {
      const limit = (value: number) => `export const limit = ${value}\n`
      assert.deepStrictEqual(yield* tell({ "a.ts": [add + drop + limit(3), add], "b.ts": ["", drop + limit(4)] }), [
        "removed a.ts limit",
        "moved b.ts drop from a.ts drop",
        "added b.ts limit",
      ])
      assert.deepStrictEqual(yield* tell({ "a.ts": [limit(3), ""], "b.ts": ["", limit(4)] }), [
        "removed a.ts limit",
        "added b.ts limit",
      ])
    }),
  )

  it.effect("pairs definitions of one name in their order", () =>
    Effect.gen(function* () {
      const overloads = (second: string) =>
        `@overload\ndef pick(a: str) -> str: ...\n@overload\ndef pick(a: ${second}) -> int: ...\ndef pick(a):\n    return a\n`
      const [change, ...others] = yield* compare({ "a.py": [overloads("int"), overloads("bytes")] })
      assert.deepStrictEqual(others, [])
      assert.strictEqual(change?.change, "changed")
      if (change?.change !== "changed") return
      assert.include(change.before.source, "int")
      assert.include(change.after.source, "bytes")
    }),
  )

  it.effect("takes what became another kind for the same symbol", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* tell({ "a.ts": ["export interface Name { a: string }\n", "export type Name = { a: string }\n"] }),
        ["changed signature a.ts Name"],
      )
    }),
  )
})

describe("SymbolDiff.firstChangedLine", () => {
  it.effect("is the line of the symbol that differs, or its first one", () =>
    Effect.gen(function* () {
      const [change] = yield* compare({ "a.ts": [add, `\n\n${add.replace("+", "-")}`] })
      assert.strictEqual(change?.change, "changed")
      if (change?.change !== "changed") return
      assert.strictEqual(SymbolDiff.firstChangedLine(change.before, change.after), 5)
      assert.strictEqual(SymbolDiff.firstChangedLine(undefined, change.after), 3)
    }),
  )
})
