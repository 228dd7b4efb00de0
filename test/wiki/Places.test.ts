import { assert, describe, it } from "@effect/vitest"
import * as Places from "../../src/wiki/Places.ts"

const heads = new Map([["core.py", ["Context", "invoke", "Command"].map((name) => ({ name, weight: 1 }))]])

const contexts = { files: ["core.py", "types.py"], symbols: [{ path: "core.py", names: ["Context", "invoke"] }] }
const commands = { files: ["core.py"], symbols: [{ path: "core.py", names: ["Command"] }] }

const entry = (qualifiedName: string, kind: "class" | "method" | "module" | "constant" | "function" | "field") => ({
  qualifiedName,
  kind,
})

describe("Places.hugeTypesIn", () => {
  const methods = (type: string, count: number) => [
    entry(type, "class"),
    ...Array.from({ length: count }, (_, at) => entry(`${type}.step${at}`, "method")),
  ]
  const entries = [...methods("Context", 60), ...methods("Engine", 20)]

  it("finds types with many methods and a large share of the code", () => {
    assert.deepStrictEqual(Array.from(Places.hugeTypesIn(entries, 300)), ["Context"])
    assert.deepStrictEqual(Array.from(Places.hugeTypesIn(entries, 2_000)), [])
  })

  it("divides the types that a plan divides, and no others", () => {
    assert.deepStrictEqual(Array.from(Places.hugeTypesIn(entries, 300, new Set(["Context", "Engine.step1"]))), [
      "Engine",
    ])
  })
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

  it("lists the methods of a divided type beside it, with those below a banner of comment apart", () => {
    const at = (name: string, kind: Parameters<typeof entry>[1], startLine: number, doc?: string) => ({
      ...entry(name, kind),
      startLine,
      endLine: startLine + 1,
      ...(doc !== undefined && { doc }),
    })
    const entries = [
      at("Context", "class", 1),
      at("Context.keys", "field", 2),
      at("Context.next", "method", 5),
      at("Context.abort", "method", 8),
      at("Context.query", "method", 15),
      at("Context.param", "method", 24, "Says\nthis\nand\nthat\nat\nlength."),
    ]
    assert.deepStrictEqual(Places.headsOf(entries, new Set(["Context"])), [
      { name: "Context", weight: 1 },
      { name: "Context.next", weight: 1 },
      { name: "Context.abort", weight: 1 },
      { name: "Context.query", weight: 1, isApart: true },
      { name: "Context.param", weight: 1 },
    ])
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
