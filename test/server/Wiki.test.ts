/** The wiki as a page reads it, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexError, TooNew } from "../../src/index/IndexError.ts"
import * as Serving from "../utils/Serving.ts"
import { shared } from "../utils/shared.ts"

const files = {
  "/project/src/cart.ts":
    'import { price } from "../price/price.ts"\nexport function total(): number {\n  return price()\n}\n',
  "/project/price/price.ts": "export function price(): number {\n  return 1\n}\n",
}

const wiki = {
  "/project/.vibe/wiki/index.md": `# Shop

It sums prices, see [Cart](cart.md). [total]
It mails receipts. [send]

[send]: ../../src/cart.ts "send"
[total]: ../../src/cart.ts "total"
`,
  "/project/.vibe/wiki/cart.md": `# Cart

The sum of a cart. [total]

[total]: ../../src/cart.ts "total"
`,
  "/project/.vibe/wiki/plan.json": JSON.stringify({
    version: 1,
    plan: {
      parts: [
        { name: "cart", title: "Cart", line: "", files: ["src/cart.ts"] },
        { name: "price", title: "Price", line: "", files: ["price/price.ts"] },
      ],
      flows: [],
      undescribed: [],
    },
  }),
}

const serve = (files: Parameters<typeof Serving.serve>[0]["files"]) =>
  Effect.gen(function* () {
    const client = yield* Serving.serve({ model: Serving.scripted([]), files: files ?? {} })
    yield* Effect.promise(() => client.post("/index/structure", undefined))
    return client
  })

/** The server of a wiki that sentences only read. */
const written = shared(Effect.interruptible(serve({ ...files, ...wiki })))

describe("the wiki over HTTP", () => {
  it.scopedLive("lists pages, and shows one with states, citations, links and its picture", () =>
    Effect.gen(function* () {
      const client = yield* written
      yield* Effect.promise(async () => {
        const overview = await client.get("/wiki")
        assert.deepStrictEqual(
          overview.pages.map(({ name }: { name: string }) => name),
          ["index", "cart"],
        )
        const page = await client.get("/wiki/page?name=index")
        const [first, second] = page.sections[0].blocks[0]
        assert.strictEqual(first.text, "It sums prices, see [Cart](#/index/wiki~cart).")
        assert.deepStrictEqual([first.state, first.author], ["holds", "person"])
        assert.deepStrictEqual(first.citations, [
          { path: "src/cart.ts", symbol: "total", label: "total", line: 2, isGone: false },
        ])
        assert.deepStrictEqual([second.state, second.citations[0].isGone], ["gone", true])
        assert.include(second.note, "send does not exist any more")
        assert.deepStrictEqual(
          page.drawing.boxes.map(({ label, page }: { label: string; page?: string }) => [label, page]),
          [
            ["Cart", "cart"],
            ["Price", undefined],
          ],
        )
        assert.strictEqual(page.drawing.lines[0].title, "Cart uses Price once")
      })
    }),
  )

  it.scopedLive("finds what answers a search, and refuses a page that does not exist", () =>
    Effect.gen(function* () {
      const client = yield* written
      yield* Effect.promise(async () => {
        const found = await client.get("/wiki/search?text=sum%20cart")
        assert.isTrue(found.some(({ page }: { page: { name: string } }) => page.name === "cart"))
        const asked = await client.get(`/wiki/search?text=${encodeURIComponent("how are prices of a zebra summed?")}`)
        assert.include(asked[0].text, "It sums prices")
        assert.deepStrictEqual(await client.get("/wiki/search?text=zebra"), [])
        assert.strictEqual((await client.send("GET", "/api/wiki/page?name=none")).status, 404)
      })
    }),
  )

  it.scopedLive("has no pages before the project is indexed, and refuses each by name", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]), files: { ...files, ...wiki } })
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await client.get("/wiki"), { pages: [], flaws: [] })
        assert.deepStrictEqual(await client.get("/wiki/search?text=sum"), [])
        const { body, status } = await client.send("GET", "/api/wiki/page?name=cart")
        assert.deepStrictEqual([status, body.message], [404, "The wiki has no page cart."])
      })
    }),
  )

  it.scopedLive("shows the sections of a page, the first of which has no title of its own", () =>
    Effect.gen(function* () {
      const client = yield* serve({
        ...files,
        "/project/.vibe/wiki/cart.md": "# Cart\n\nThe sum of a cart.\n\n## Taxes\n\nThere are none.\n",
      })
      yield* Effect.promise(async () => {
        const { sections } = await client.get("/wiki/page?name=cart")
        assert.deepStrictEqual(
          sections.map(({ title }: { title?: string }) => title),
          [undefined, "Taxes"],
        )
      })
    }),
  )

  it.scopedLive("shows a page without a drawing where no plan says what the parts are", () =>
    Effect.gen(function* () {
      const { "/project/.vibe/wiki/plan.json": _, ...unplanned } = wiki
      const client = yield* serve({ ...files, ...unplanned })
      yield* Effect.promise(async () => {
        for (const name of ["index", "cart"]) {
          const page = await client.get(`/wiki/page?name=${name}`)
          assert.deepStrictEqual([page.name, page.sections.length, page.drawing], [name, 1, undefined])
        }
      })
    }),
  )

  it.scopedLive("says why a page cannot be shown", () =>
    Effect.gen(function* () {
      const damaged = Effect.fail(new IndexError({ path: "/project/.vibe", reason: new TooNew({ version: 99 }) }))
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        files: { ...files, ...wiki },
        index: (store) => ({
          openExisting: (workspace, options) =>
            Effect.map(store.openExisting(workspace, options), (existing) => ({
              ...existing,
              index: { ...existing.index, fileUses: damaged },
            })),
        }),
      })
      yield* Effect.promise(async () => {
        await client.post("/index/structure", undefined)
        const { body, status } = await client.send("GET", "/api/wiki/page?name=cart")
        assert.deepStrictEqual([status, typeof body.message], [507, "string"])
        assert.include(body.message, "99")
      })
    }),
  )

  it.scopedLive("has no pages without a wiki, and says what keeps a file from being read", () =>
    Effect.gen(function* () {
      const bare = yield* serve(files)
      const conflicted = yield* serve({
        ...files,
        ...wiki,
        "/project/.vibe/wiki/cart.md": "# Cart\n\n<<<<<<< ours\nOne.\n=======\nTwo.\n>>>>>>> theirs\n",
      })
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await bare.get("/wiki"), { pages: [], flaws: [] })
        const { flaws } = await conflicted.get("/wiki")
        assert.include(flaws[0].path, "cart.md")
      })
    }),
  )

  it.scopedLive("finds at most fourteen paragraphs by words in any form and order, each text once", () =>
    Effect.gen(function* () {
      const zebras = Array.from({ length: 15 }, (_, n) => `The zebra ${n} has stripes\u001b[31m.\n\n`).join("")
      const client = yield* serve({
        ...files,
        "/project/.vibe/wiki/index.md": `# Shop\n\n${zebras}`,
        "/project/.vibe/wiki/a-part.md": `# Stables\n\n${zebras}`,
      })
      yield* Effect.promise(async () => {
        const find = (text: string) => client.get(`/wiki/search?text=${encodeURIComponent(text)}`)
        const found: ReadonlyArray<{ page: { name: string; title: string; kind: string }; text: string }> =
          await find("Stripes zebra zebra")
        // The pages say the same, which is found once.
        assert.strictEqual(new Set(found.map(({ text }) => text)).size, 14)
        assert.lengthOf(found, 14)
        assert.match(found[0]?.text ?? "", /^The zebra \d+ has stripes\.$/)
        // The title of a page counts for each of its statements.
        const inTitle = await find("stables zebra")
        assert.deepStrictEqual(inTitle[0].page, { kind: "part", name: "a-part", title: "Stables" })
        for (const text of ["unicorn", " ", "?!"]) assert.deepStrictEqual(await find(text), [])
      })
    }),
  )

  it.scopedLive("lists the start page, then parts, then flows, and what is wrong with files in plain words", () =>
    Effect.gen(function* () {
      const plan = {
        parts: [{ name: "cart", title: "Cart", line: "", files: ["src/cart.ts"] }],
        flows: [{ name: "a-flow", title: "A flow", line: "", symbols: [] }],
        undescribed: [],
      }
      const client = yield* serve({
        ...files,
        "/project/.vibe/wiki/index.md": "# Shop\n\nIt sums.\n",
        "/project/.vibe/wiki/cart.md": "# The \u001b[31mcart\n\nThe sum.\n",
        "/project/.vibe/wiki/a-flow.md": "# A flow\n\nIt goes on.\n",
        "/project/.vibe/wiki/plan.json": JSON.stringify({ version: 1, plan }),
        "/project/.vibe/wiki/broken.md": "# Broken\n\n<<<<<<< ours\nOne.\n=======\nTwo.\n>>>>>>> theirs\n",
      })
      yield* Effect.promise(async () => {
        const { flaws, pages } = await client.get("/wiki")
        assert.deepStrictEqual(pages.map(({ name }: { name: string }) => name)[0], "index")
        const kinds = pages.map(({ kind }: { kind: string }) => kind)
        const order = ["start", "part", "flow"]
        assert.deepStrictEqual(
          kinds,
          kinds.toSorted((one: string, other: string) => order.indexOf(one) - order.indexOf(other)),
        )
        assert.strictEqual(pages.find(({ name }: { name: string }) => name === "cart").title, "The cart")
        assert.isNotEmpty(flaws)
        for (const { flaw } of flaws) assert.isNotEmpty(flaw)
      })
    }),
  )
})
