import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Part } from "../../../src/wiki/Plan.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
import * as PartRoom from "../../../src/wiki/writing/PartRoom.ts"
import * as Wiki from "./Wiki.fixture.ts"

const part = (name: string, ...files: ReadonlyArray<string>): Part => ({ name, title: name, line: "", files })

const unit = (number: number, path: string, size: number, files = [path]) => ({
  number,
  path,
  size,
  files,
  isHelpers: false,
})

const project = {
  heads: new Map(),
  units: [unit(1, "a.py", 100), unit(2, "b.py", 40), unit(3, "c/", 20, ["c/d.py", "c/e.py"])],
}

describe("PartRoom.of", () => {
  it("is in proportion to the symbols of a part, within bounds", () => {
    const parts = [part("large", "a.py"), part("middle", "b.py", "c/d.py"), part("small", "c/e.py")]
    const [large = 0, middle = 0, small = 0] = parts.map((each) => PartRoom.of(project, each, parts))
    assert.approximately(large, 100 / (160 / 3), 0.001)
    assert.approximately(middle, 50 / (160 / 3), 0.001)
    assert.strictEqual(small, 0.6)
    assert.strictEqual(
      PartRoom.of(project, part("all", "a.py"), [...parts, ...Array.from({ length: 9 }, () => part("x"))]),
      2,
    )
  })

  it("is that of a part of mean size if nothing is known of the sizes", () => {
    assert.strictEqual(PartRoom.of({ heads: new Map(), units: [] }, part("a", "a.py"), [part("a", "a.py")]), 1)
  })

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
      assert.strictEqual(large.room, 2)
      const message = PartRequest.messageOf(large)
      assert.include(message, "Write 80 to 450 words")
      assert.isAtLeast(large.sources.filter((line) => line.startsWith("[")).length, 4)
      assert.include(PartRequest.messageOf(yield* gather("price")), "Write 80 to 150 words")
    }).pipe(Effect.scoped),
  )

  it.effect("asks for what decides, defaults, limits and errors", () =>
    Effect.gen(function* () {
      const message = PartRequest.messageOf(yield* gather("order"))
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
      assert.deepStrictEqual(gathered.sources, [])
    }).pipe(Effect.scoped),
  )
})
