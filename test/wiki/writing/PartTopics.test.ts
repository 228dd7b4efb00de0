import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
import * as PartTopics from "../../../src/wiki/writing/PartTopics.ts"
import * as Wiki from "./Wiki.fixture.ts"

const part = (name: string, ...files: ReadonlyArray<string>) => ({ name, title: name, line: "", files })

const parts = [
  part("cart", "src/cart/cart.ts"),
  part("price", "src/price/price.ts"),
  part("order", "src/order/order.ts"),
  part("mail", "src/mail/mail.ts"),
]

const files = {
  ...Wiki.shop,
  "docs/guide.md":
    "# Guide\n\n## Contents\n\n- all\n\n## Putting articles into the cart\n\nCall `addToCart` with an article. `totalOf` sums the cart.\n\n## Weather\n\nIt may rain.\n",
  "doc/shop.txt":
    "*shop.txt*   A shop\n\n==========\n1. Deliver mails      *shop-mail*\n\nAfter `send` each mail is delivered by `deliver`.\n",
}

describe("PartTopics", () => {
  it.scoped("gives each section of a document to the part whose names it has, and others to none", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open(files)
      const topics = yield* PartTopics.assign(project, parts)
      assert.deepStrictEqual(Object.fromEntries(topics), {
        cart: ["guide.md, Putting articles into the cart: Call `addToCart` with an article. `totalOf` sums the cart."],
        mail: ["shop.txt, Deliver mails: After `send` each mail is delivered by `deliver`."],
      })
    }),
  )

  it.scoped("says what a section lists, and which names it has in code beside", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open({
        ...files,
        "docs/cart.md":
          "# Guide\n\n## Weather\n\nIt may rain.\n\n## Adding an article to the cart\n\nThe [cart](#cart) of `addToCart` has:\n\n- articles, sold or not\n- prices\n\n```sh\nrun\n```\n\nUse `--all` or ``code` for` all of `totalOf`.\n",
      })
      const topics = yield* PartTopics.assign(project, parts)
      assert.include(
        topics.get("cart") ?? [],
        "cart.md, Adding an article to the cart: The [cart] of `addToCart` has: articles, sold or not; prices (names: --all, totalOf)",
      )
    }),
  )

  it.scoped("stand in the request for the page of their part", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open(files)
      const topics = yield* PartTopics.assign(project, parts)
      const messageFor = Effect.fnUntraced(function* (at: number) {
        const [own] = parts.slice(at)
        if (own === undefined) return ""
        const gathered = yield* PartMaterial.gather(project, own, parts, MaterialLimits.defaults.part, topics)
        return PartRequest.messageOf([{ about: project.about, part: own, parts, ...gathered }])
      })
      assert.include(yield* messageFor(0), "- guide.md, Putting articles into the cart")
      assert.notInclude(yield* messageFor(1), "guide.md")
    }),
  )

  it("keeps to a limit of tokens", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `guide.md, Section ${at}: It says something about the code.`)
    const some = PartTopics.within(lines, 100)
    assert.isAbove(some.length, 2)
    assert.isBelow(some.length, 9)
  })
})
