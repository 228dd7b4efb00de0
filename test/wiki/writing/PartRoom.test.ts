import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Part } from "../../../src/wiki/Plan.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
import * as PartRoom from "../../../src/wiki/writing/PartRoom.ts"
import * as Wiki from "./Wiki.fixture.ts"

const part = (name: string, ...files: ReadonlyArray<string>): Part => ({ name, title: name, line: "", files })

const lines = new Map([
  ["a.py", 100],
  ["b.py", 40],
  ["c/d.py", 10],
  ["c/e.py", 10],
])

const project: PartRoom.Sizes<never> = {
  heads: new Map([
    [
      "a.py",
      [
        { name: "Large", weight: 15 },
        { name: "small", weight: 5 },
      ],
    ],
  ]),
  linesOf: (path) => Effect.succeed(lines.get(path) ?? 0),
}

describe("PartRoom.of", () => {
  it.effect("is in proportion to the lines of a part, within bounds", () =>
    Effect.gen(function* () {
      const parts = [part("large", "a.py"), part("middle", "b.py", "c/d.py"), part("small", "c/e.py")]
      const [large = 0, middle = 0, small = 0] = yield* Effect.forEach(parts, (each) =>
        PartRoom.of(project, each, parts),
      )
      // Without bounds they would be 1.875, 0.9375 and 0.19.
      const all = 1.8 + 0.9375 + 0.75
      assert.approximately(large, (1.8 * 3) / all, 0.001)
      assert.approximately(middle, (0.9375 * 3) / all, 0.001)
      assert.approximately(small, (0.75 * 3) / all, 0.001)
      assert.approximately(large + middle + small, 3, 0.001)
      const more = [...parts, ...Array.from({ length: 9 }, () => part("x"))]
      const most = yield* PartRoom.of(project, part("large", "a.py"), more)
      assert.isAbove(most, 1.5)
      assert.isAtMost(most, 1.8)
    }),
  )

  it.effect("counts a divided file in proportion to what its symbols have in them", () =>
    Effect.gen(function* () {
      const own = (name: string, names: ReadonlyArray<string>) => ({
        ...part(name, "a.py"),
        symbols: [{ path: "a.py", names }],
      })
      const parts = [own("large", ["Large"]), own("small", ["small"]), part("other", "b.py")]
      const [large = 0] = yield* Effect.forEach(parts, (each) => PartRoom.of(project, each, parts))
      assert.approximately(large, (75 / (140 / 3) / ((75 + 40) / (140 / 3) + 0.75)) * 3, 0.001)
    }),
  )

  it.effect("is that of a part of mean size if nothing is known of the sizes", () =>
    Effect.gen(function* () {
      const alone = part("a", "z.py")
      assert.strictEqual(yield* PartRoom.of(project, alone, [alone]), 1)
    }),
  )

  it("asks for more words and changes on a large page, and for fewer on a small one", () => {
    assert.deepStrictEqual(PartRoom.wordsOf(1), { least: 80, most: 250, limit: 400 })
    assert.strictEqual(PartRoom.wordsOf(0.6).most, 150)
    assert.strictEqual(PartRoom.wordsOf(2).most, 450)
    assert.deepStrictEqual([0.6, 1, 2].map(PartRoom.changesOf), [2, 4, 7])
  })
})

/** A part of one file with many functions that decide, beside the small parts of the shop. */
const compiler = `import { send } from "../mail/mail.ts"

${Array.from(
  { length: 24 },
  (_, at) => `/** Visits a node of kind ${at}. */
export function visit${at}(node: string, depth: number): string {
  if (node === "kind ${at}" && depth > ${at}) return send(node, "too deep at ${at}") ?? "nothing at ${at}"
  for (const letter of node) if (letter === "${at}") return "found ${at} in " + node
  return depth > 0 ? visit${(at + 1) % 24}(node, depth - 1) : "the end of ${at}"
}
`,
).join("\n")}`

const gather = (name: string) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open({ ...Wiki.shop, "src/compiler/compiler.ts": compiler })
    const parts = [
      part("compiler", "src/compiler/compiler.ts"),
      ...["cart", "price", "order", "mail"].map((each) => part(each, `src/${each}/${each}.ts`)),
    ]
    const own = parts.find((each) => each.name === name) ?? assert.fail(`no part ${name}`)
    const gathered = yield* PartMaterial.gather(project, own, parts, 700)
    return { about: project.about, part: own, parts, ...gathered }
  })

describe("the request for a part", () => {
  it.effect("shows more sources of a part with most of the code, and asks for more words about it", () =>
    Effect.gen(function* () {
      const large = yield* gather("compiler")
      assert.strictEqual(large.room, 1.8)
      const message = PartRequest.messageOf([large])
      assert.include(message, "part 1: 80 to 450 words")
      assert.isAtLeast(large.shown.size, 4)
      assert.include(PartRequest.messageOf([yield* gather("price")]), "part 1: 80 to 190 words")
    }).pipe(Effect.scoped),
  )

  it.effect("shows a source below the line of its symbol, without its signature and calls", () =>
    Effect.gen(function* () {
      const gathered = yield* gather("order")
      const message = PartRequest.messageOf([gathered])
      const sources = Array.from(gathered.shown.values())
      assert.isNotEmpty(sources)
      for (const { item, lines } of sources) {
        const head = Material.headOf(gathered.material, item)
        assert.match(message.split(`\n${head}`)[1] ?? "", /^( #[^\n]*)?:\n"""\n/)
        assert.lengthOf(message.split(lines.join("\n")), 2)
      }
    }).pipe(Effect.scoped),
  )

  it.effect("asks for what decides, defaults, limits and errors", () =>
    Effect.gen(function* () {
      const message = PartRequest.messageOf([yield* gather("order")])
      for (const word of ["What decides", "defaults and limits", "raised or refused", "extend it"]) {
        assert.include(message, word)
      }
    }).pipe(Effect.scoped),
  )

  it.effect("shows no stub as a source if there was no room for a function that decides", () =>
    Effect.gen(function* () {
      const long = `export function decide(node: string): string {
${Array.from({ length: 200 }, (_, at) => `  if (node === "${at}") return last(node)`).join("\n")}
  return node
}

export function last(node: string): string {
  return node.slice(-1)
}
`
      const { project } = yield* Wiki.open({ ...Wiki.shop, "src/cart/cart.ts": long })
      const own = part("cart", "src/cart/cart.ts")
      const gathered = yield* PartMaterial.gather(project, own, [own], MaterialLimits.defaults.part)
      assert.strictEqual(gathered.shown.size, 0)
    }).pipe(Effect.scoped),
  )
})
