import { assert, describe, it } from "@effect/vitest"
import * as Places from "../../src/wiki/Places.ts"

const heads = new Map([["core.py", ["Context", "invoke", "Command"].map((name) => ({ name, weight: 1 }))]])

const contexts = { files: ["core.py", "types.py"], symbols: [{ path: "core.py", names: ["Context", "invoke"] }] }
const commands = { files: ["core.py"], symbols: [{ path: "core.py", names: ["Command"] }] }

const entry = (qualifiedName: string, kind: "class" | "method" | "module" | "constant" | "function" | "field") => ({
  qualifiedName,
  kind,
})

describe("Places.headsOf", () => {
  it("lists what is at the top, with the number of its functions and types", () => {
    assert.deepStrictEqual(
      Places.headsOf([
        entry("LIMIT", "constant"),
        entry("Context", "class"),
        entry("Context.depth", "field"),
        entry("Context.invoke", "method"),
        entry("Context.invoke.inner", "function"),
        entry("run", "function"),
        entry("run", "function"),
      ]),
      [
        { name: "LIMIT", weight: 0 },
        { name: "Context", weight: 3 },
        { name: "run", weight: 2 },
      ],
    )
  })

  it("looks through namespaces, and through what only fills a table or another file's type", () => {
    assert.deepStrictEqual(
      Places.headsOf([
        entry("Http", "module"),
        entry("Http.Client", "class"),
        entry("Http.Client.send", "method"),
        entry("M", "constant"),
        entry("M.open", "function"),
        entry("Elsewhere.close", "method"),
      ]).map(({ name }) => name),
      ["Http.Client", "M", "M.open", "Elsewhere.close"],
    )
  })
})

describe("Places.finderOf", () => {
  const find = Places.finderOf([contexts, commands])

  it("finds the part of a symbol by what is at the top of its file", () => {
    assert.strictEqual(find({ path: "core.py", symbol: "Context.scope.inner" }), contexts)
    assert.strictEqual(find({ path: "core.py", symbol: "Command" }), commands)
    assert.strictEqual(find({ path: "types.py", symbol: "Command" }), contexts)
  })

  it("takes the first part for a divided file as a whole, and for a symbol that no part names", () => {
    assert.strictEqual(find({ path: "core.py" }), contexts)
    assert.strictEqual(find({ path: "core.py", symbol: "Commander" }), contexts)
    assert.isUndefined(find({ path: "other.py" }))
  })
})

describe("Places.membershipOf", () => {
  it("leaves the symbols of other parts out, and a divided file as a whole", () => {
    const isOwn = Places.membershipOf(commands)
    assert.isTrue(isOwn({ path: "core.py", symbol: "Command.main" }))
    assert.isFalse(isOwn({ path: "core.py", symbol: "Context" }))
    assert.isFalse(isOwn({ path: "core.py" }))
  })
})

describe("Places.extentOf", () => {
  it("is undone by keysOf, and has a file as a whole if it has all of it", () => {
    for (const extent of [contexts, commands]) {
      assert.deepStrictEqual(Places.extentOf(Places.keysOf(extent, heads), heads), extent)
    }
    assert.deepStrictEqual(Places.union([commands, contexts], heads), { files: ["core.py", "types.py"] })
  })

  it("has what is outside of all symbols once, with the first of them", () => {
    const keys = [contexts, commands].map((extent) => Places.keysOf(extent, heads))
    assert.deepStrictEqual(
      keys.map((each) => each.includes("core.py")),
      [true, false],
    )
    assert.strictEqual(new Set(keys.flat()).size, keys.flat().length)
  })
})

describe("Places.usesOfFiles", () => {
  it("sums the uses of symbols, without those within a file", () => {
    const [context, command] = [Places.keyOf("core.py", "Context"), Places.keyOf("core.py", "Command")]
    const uses = new Map([
      [
        context,
        new Map([
          ["types.py", 2],
          [command, 4],
        ]),
      ],
      [command, new Map([["types.py", 1]])],
    ])
    assert.deepStrictEqual(Places.usesOfFiles(uses), new Map([["core.py", new Map([["types.py", 3]])]]))
  })
})
