/** The wiki in the lookups of agents: over a folder in memory with a real index. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as ProjectPrompt from "../../../src/lookup/ProjectPrompt.ts"
import * as Show from "../../../src/lookup/Show.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Tokens from "../../../src/message/Tokens.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as LookupTools from "../../../src/toolbox/LookupTools.ts"
import * as Markdown from "../../../src/wiki/Markdown.ts"
import type { Page, Statement } from "../../../src/wiki/Page.ts"
import { latePages } from "../../../src/wiki/reading/latePages.ts"
import { openPages } from "../../../src/wiki/reading/openPages.ts"
import * as WikiFolder from "../../../src/wiki/WikiStore/Folder.ts"
import * as WikiStore from "../../../src/wiki/WikiStore.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"

const layer = WikiFolder.layer.pipe(
  Layer.provideMerge(Sqlite.layerMemory),
  Layer.provideMerge(SharedSymbols.layer),
  Layer.provideMerge(
    Files.layerMemory({
      "/p/README.md": "# Shop\n",
      "/p/src/order/order.ts": "export function order(): number {\n  return 1\n}\n",
      "/p/src/mail/mail.ts":
        "/** Mails that are sent to customers. */\n\nexport function notify(): number {\n  return 2\n}\n",
    }),
  ),
)

const claim = (text: string, symbol: string, path: string, hash?: string): [Statement] => [
  { text, kind: "claim", author: "model", citations: [{ path, symbol, ...(hash !== undefined && { hash }) }] },
]

const page = (name: string, title: string, ...blocks: ReadonlyArray<[Statement]>): Page => ({
  name,
  kind: name === "index" ? "start" : "part",
  title,
  sections: [{ form: "text", blocks }],
})

const pages = [
  page("index", "Shop", claim("Orders are stored and mails are sent.", "order", "src/order/order.ts")),
  page(
    "orders",
    "Orders",
    claim("An order is stored before its mail is sent.", "order", "src/order/order.ts", "0000000000000000"),
    claim("It may be dropped later.", "cancel", "src/order/order.ts"),
  ),
]

const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) }

/** Indexes the folder and keeps a wiki of these pages, or none. */
const projectWith = (written: ReadonlyArray<Page>, open: typeof openPages | typeof latePages) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/p")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    if (written.length > 0) {
      const wiki = yield* (yield* WikiStore.WikiStore).open("/p")
      const part = { name: "orders", title: "Orders", line: "", files: ["src/order/order.ts"] }
      yield* wiki.keep({
        pages: written.map((page) => Markdown.fromPage(page)),
        plan: { parts: [part], flows: [], undescribed: ["src/mail/mail.ts"] },
      })
    }
    const opened = { workspace, index, displayPath: (path: string) => path }
    return { ...opened, pages: yield* open(opened) }
  })

describe.each([
  ["openPages", openPages],
  ["latePages", latePages],
] as const)("%s", (_, open) => {
  const project = (written: ReadonlyArray<Page>) => projectWith(written, open)

  it.scoped("puts the start page and the part of a folder before its files, with states in words", () =>
    Effect.gen(function* () {
      const shop = yield* project(pages)
      const root = yield* Show.describe(shop, ".", 1_000)
      assert.match(root, /^# Shop\nOrders are stored and mails are sent\. \[order\]\n/)
      assert.include(root, "src/")
      const folder = yield* Show.describe(shop, "src/order", 1_000)
      assert.include(folder, "An order is stored before its mail is sent. (its code has changed since: look again)")
      assert.include(folder, "It may be dropped later. [cancel] (out of date: cancel does not exist any more)")
      assert.notMatch(yield* Show.describe(shop, "src/mail", 1_000), /^# /m)
      assert.match(
        yield* Show.describe(shop, "src/mail/mail.ts", 1_000),
        /^src\/mail\/mail\.ts {2}1 symbol\nMails that are sent to customers\.\n/,
      )
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("keeps to the tokens that are allowed, and to 1,000 in any case", () =>
    Effect.gen(function* () {
      const long = page(
        "index",
        "Shop",
        ...Array.from({ length: 300 }, (_, n) =>
          claim(`It sells thing ${n} to customers.`, "order", "src/order/order.ts"),
        ),
      )
      const shop = yield* project([long])
      assert.isAtMost(Tokens.ofLines((yield* Show.describe(shop, ".", 300)).split("\n")), 310)
      const lines = yield* shop.pages.ofFolder(".", 9_000)
      assert.isAtMost(Tokens.ofLines(lines ?? []), 1_010)
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("answers a question about the whole before the symbols, and never one with a name", () =>
    Effect.gen(function* () {
      const shop = yield* project(pages)
      const ask = (question: string) => shop.pages.forQuestion(question, 300)
      const [first, ...told] = yield* ask("How is an order stored, and when is it dropped later?")
      assert.strictEqual(first, "(the wiki explains this as a whole: 'Orders' in .vibe/wiki/orders.md)")
      assert.deepStrictEqual(told, [
        "- An order is stored before its mail is sent.  src/order/order.ts:1  (its code has changed since: look again)",
        "- It may be dropped later.  src/order/order.ts cancel  (out of date: cancel does not exist any more)",
        "- Orders are stored and mails are sent.  src/order/order.ts:1 order",
      ])
      assert.deepStrictEqual(yield* ask("order"), [])
      assert.deepStrictEqual(yield* ask("How is OrderStore dropped later?"), [])
      const registry = ToolRegistry.make(LookupTools.make(Effect.succeed({ project: shop, notice: undefined })))
      const parameters = { query: "How is an order stored and its mail sent?" }
      const { text } = yield* registry.execute({ type: "tool-use", id: "c1", name: "query", parameters }, context)
      assert.match(
        text,
        /^\(the wiki explains this as a whole: '.*\)\n- .* {2}src\/order\/order\.ts:1.*\n(?:- .*\n)*\n\S/,
      )
      for (const maxTokens of [100, 150, 300]) {
        const parameters = { query: "How is an order stored and its mail sent?", maxTokens }
        const { text } = yield* registry.execute({ type: "tool-use", id: "c1", name: "query", parameters }, context)
        assert.isAtMost(Tokens.ofLines(text.split("\n")), maxTokens)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("begins the prompt of a conversation in place of the map", () =>
    Effect.gen(function* () {
      const shop = yield* project(pages)
      const prompt = ProjectPrompt.describe(yield* ProjectPrompt.read(shop.workspace, shop.index, shop.pages))
      assert.include(prompt, "The start page of its wiki, .vibe/wiki/index.md, begins:")
      assert.include(prompt, "Orders are stored and mails are sent.")
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("leaves everything as it is without a wiki, and if the wiki cannot be read", () =>
    Effect.gen(function* () {
      const shop = yield* project([])
      assert.isUndefined(yield* shop.pages.ofFolder(".", 1_000))
      assert.notInclude(yield* Show.describe(shop, ".", 1_000), "#")
      const broken = yield* open(shop).pipe(
        Effect.provideService(WikiStore.WikiStore, {
          open: () => Effect.fail(new WikiStore.NewerWiki({ path: "/p/.vibe/wiki/plan.json", version: 9 })),
        }),
      )
      assert.isUndefined(yield* broken.ofFolder(".", 1_000))
    }).pipe(Effect.provide(layer)),
  )
})

describe("latePages", () => {
  it.scoped("reads no wiki if there is none, or if no page would answer the question", () =>
    Effect.gen(function* () {
      let reads = 0
      const counted: WikiStore.Service = {
        open: () =>
          Effect.suspend(() => {
            reads += 1
            return Effect.fail(new WikiStore.NewerWiki({ path: "/p/.vibe/wiki/plan.json", version: 9 }))
          }),
      }
      const readsOf = (written: ReadonlyArray<Page>, question: string) =>
        Effect.gen(function* () {
          const shop = yield* projectWith(written, openPages)
          const late = yield* Effect.provideService(latePages(shop), WikiStore.WikiStore, counted)
          reads = 0
          assert.deepStrictEqual(yield* late.forQuestion(question, 300), [])
          return reads
        })
      assert.strictEqual(yield* readsOf([], "How is an order stored?"), 0)
      assert.strictEqual(yield* readsOf(pages, "where is an order stored"), 0)
      assert.strictEqual(yield* readsOf(pages, "How is an order stored?"), 1)
    }).pipe(Effect.provide(layer)),
  )
})
