import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import * as Indexing from "../../../src/app/Indexing.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import type { IndexEvent } from "../../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../../src/explore/IndexObserver.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as RunBudget from "../../../src/model/RunBudget.ts"
import * as Offline from "../../../src/provider/offline/Offline.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Git from "../../../src/review/Git/Program.ts"
import * as GitRepository from "../../utils/GitRepository.ts"
import * as Wiki from "./Wiki.fixture.ts"

/** Explores with words alone, and writes the wiki as the fixture does. */
const model = (requests: Array<Request>, answers: Wiki.Answers = {}) =>
  Effect.map(
    Scripted.make((request) => {
      const isOfWiki = request.tools.length === 1 && request.tools[0]?.name !== "create_index_entry"
      if (!isOfWiki) return "A shop for garden tools."
      requests.push(request)
      const kind = Wiki.kindOf(request)
      return (answers[kind] ?? Wiki.sound[kind])(request)
    }),
    (model): LanguageModel.Service => ({
      ...model,
      price: { input: 1, output: 1 },
      generate: (request, observer) =>
        Effect.map(model.generate(request, observer), (reply) => ({
          ...reply,
          usage: { ...reply.usage, inputTokens: RunBudget.estimate(request), outputTokens: 100 },
        })),
    }),
  )

interface Options {
  readonly answers?: Wiki.Answers
  readonly model?: LanguageModel.Service
  readonly maxTokens?: number
  readonly watch?: (event: IndexEvent) => Effect.Effect<void>
}

/** Runs `vibe index` over a folder on disk, with Git. */
const run = (root: string, options: Options = {}) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const budget = yield* RunBudget.make({ maxTokens: options.maxTokens })
    const asked = options.model ?? budget.guard(yield* model(requests, options.answers))
    const observer = Layer.succeed(IndexObserver.IndexObserver, {
      watch: () => Effect.succeed(options.watch ?? (() => Effect.void)),
    })
    const afterRun = yield* Effect.provide(Indexing.wikiAfterRun(), NodeFiles.layer)
    const layer = Indexing.layer.pipe(
      Layer.provide([Layer.succeed(LanguageModel.LanguageModel, asked), observer]),
      Layer.provideMerge(Git.layer(GitRepository.environment(root))),
    )
    const report = yield* Effect.provide(IndexingOrchestrator.runGuidedExploration(root, false, { afterRun }), layer)
    return { report, requests, kinds: requests.map(Wiki.kindOf) }
  })

const shop = Effect.map(GitRepository.make(), (repository) => {
  repository.commit(Wiki.shop)
  return repository
})

/**
 * A first run over the shop, with the folder that has what it leaves in `.vibe`. One run is enough for all tests that
 * begin with one.
 */
let firstRun: { readonly folder: string; readonly ran: Effect.Effect.Success<ReturnType<typeof run>> } | undefined

afterAll(() => firstRun !== undefined && fs.rmSync(firstRun.folder, { recursive: true }))

/** The shop after a first run. */
const written = Effect.gen(function* () {
  const repository = yield* shop
  const folder = path.join(repository.root, ".vibe")
  if (firstRun === undefined) {
    const ran = yield* run(repository.root)
    firstRun = { folder: fs.mkdtempSync(path.join(os.tmpdir(), "vibe-first-run-")), ran }
    fs.cpSync(folder, firstRun.folder, { recursive: true })
  } else fs.cpSync(firstRun.folder, folder, { recursive: true })
  return { ...repository, ran: firstRun.ran }
})

const pagesOf = (root: string): ReadonlyArray<string> => {
  const folder = path.join(root, ".vibe/wiki")
  return fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((name) => name.endsWith(".md"))
        .toSorted()
    : []
}

const readPage = (root: string, name: string) => fs.readFileSync(path.join(root, ".vibe/wiki", name), "utf8")

const all = ["cart.md", "flow-an-order-is-placed.md", "index.md", "mail.md", "order.md", "price.md"]

describe.skipIf(!GitRepository.isAvailable)("A run of vibe index with a model", () => {
  it.scoped("writes the wiki as Markdown after the exploration, and counts it in its report", () =>
    Effect.gen(function* () {
      const {
        ran: { kinds, report },
        root,
      } = yield* written
      assert.deepStrictEqual(pagesOf(root), all)
      const page = readPage(root, "flow-an-order-is-placed.md")
      assert.include(page, "# What happens when an order is placed")
      assert.include(page, "1. The order is summed. [totalOf] [placeOrder]\n")
      assert.include(page, '[totalOf]: ../../src/cart/cart.ts "totalOf"')
      assert.include(readPage(root, "index.md"), "- [cart](cart.md): What src/cart")
      assert.deepInclude(report.wiki?.model, { outcome: "complete", missing: [], requests: kinds.length })
      assert.strictEqual(report.wiki?.model?.written.length, all.length)
      assert.isAbove(report.usage.inputTokens, report.wiki?.model?.usage.inputTokens ?? Number.NaN)
      assert.isAbove(report.cost ?? 0, report.wiki?.model?.cost ?? Number.NaN)
    }),
  )

  it.scoped("goes on after an interrupt behind the second page, and asks for no page that is written", () =>
    Effect.gen(function* () {
      const { root } = yield* shop
      const reached = yield* Deferred.make<void>()
      let written = 0
      const fiber = yield* Effect.fork(
        run(root, {
          watch: (event) =>
            event._tag === "PageWritten" && ++written === 2
              ? Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
              : Effect.void,
        }),
      )
      yield* Deferred.await(reached)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      // The start page is one without a model until the parts are written.
      assert.deepStrictEqual(pagesOf(root), ["cart.md", "index.md", "mail.md"])
      const next = yield* run(root)
      assert.notInclude(next.kinds, "write_plan")
      assert.strictEqual(next.kinds.filter((kind) => kind === "write_start_page").length, 1)
      assert.strictEqual(next.kinds.filter((kind) => kind === "write_parts").length, 1)
      assert.deepStrictEqual(pagesOf(root), all)
    }),
  )

  it.scoped("sends only the statement that a change has touched, with the change that Git shows", () =>
    Effect.gen(function* () {
      const repository = yield* written
      const { root } = repository
      assert.deepStrictEqual((yield* run(root)).kinds, [])
      repository.write({
        "src/mail/mail.ts": (Wiki.shop["src/mail/mail.ts"] ?? "").replace("), 0)", "), 60)"),
      })
      const before = new Map(all.map((name) => [name, readPage(root, name)]))
      const { kinds, report, requests } = yield* run(root, {
        answers: {
          check_statements: () =>
            Scripted.calls(["check_statements", { partly: [{ i: 1, t: "A mail is sent later." }], holds: [2] }]),
        },
      })
      assert.deepStrictEqual(kinds, ["check_statements"])
      const message = requests[0] === undefined ? "" : Wiki.messageOf(requests[0])
      assert.include(message, "send in src/mail/mail.ts, what has changed")
      assert.include(message, "-   setTimeout(() => deliver(to, text), 0)")
      assert.include(message, "+   setTimeout(() => deliver(to, text), 60)")
      assert.notInclude(message, "The order is summed.")
      assert.deepInclude(report.wiki?.model?.judged, { statements: 2, corrected: 1, dropped: 0 })
      const changed = all.filter((name) => readPage(root, name) !== before.get(name))
      assert.strictEqual(changed.length, 1)
      assert.deepStrictEqual((yield* run(root)).kinds, [])
    }),
  )

  it.scoped("shows what a function was renamed to, and cites that from then on", () =>
    Effect.gen(function* () {
      const repository = yield* written
      const { root } = repository
      const rename = (file: keyof typeof Wiki.shop) => (Wiki.shop[file] ?? "").replaceAll(/\bsend\b/g, "post")
      repository.write({
        "src/mail/mail.ts": rename("src/mail/mail.ts"),
        "src/order/order.ts": rename("src/order/order.ts"),
      })
      const { requests } = yield* run(root)
      const messages = requests.map(Wiki.messageOf).join("\n")
      assert.include(messages, "send in src/mail/mail.ts, now:\n(it does not exist any more)")
      assert.include(messages, "post in src/mail/mail.ts, which has lines now that were elsewhere before")
      const citing = all.map((name) => readPage(root, name)).filter((text) => text.includes('src/mail/mail.ts "'))
      assert.isNotEmpty(citing)
      for (const text of citing) {
        assert.include(text, 'src/mail/mail.ts "post"')
        assert.notInclude(text, 'src/mail/mail.ts "send"')
      }
      assert.deepStrictEqual((yield* run(root)).kinds, [])
    }),
  )

  it.scoped("leaves what a person wrote in the file of a page, also when the part is written anew", () =>
    Effect.gen(function* () {
      const repository = yield* written
      const { root } = repository
      const file = path.join(root, ".vibe/wiki/mail.md")
      const [title = "", ...rest] = fs.readFileSync(file, "utf8").split("\n")
      fs.writeFileSync(file, [title, "", "Mails go through the relay. [send]", ...rest].join("\n"))
      repository.write({ "src/mail/more.ts": "export function more(): number {\n  return 1\n}\n" })
      const { kinds, requests } = yield* run(root)
      assert.deepStrictEqual(kinds, ["write_parts", "check_statements"])
      assert.include(readPage(root, "mail.md"), "Mails go through the relay. [send]")
      assert.notInclude(requests.map(Wiki.messageOf).join("\n"), "the relay")
    }),
  )

  it.scoped("keeps what the budget of the run has paid for, and writes the rest with the next", () =>
    Effect.gen(function* () {
      const { root } = yield* shop
      const first = yield* run(root, { maxTokens: 16_000 })
      assert.strictEqual(first.report.wiki?.model?.outcome, "budget")
      const { missing, written } = first.report.wiki?.model ?? assert.fail("no wiki")
      assert.isAbove(written.length, 0)
      assert.isAbove(missing.length, 0)
      assert.strictEqual(written.length + missing.length, all.length)
      assert.isAtMost(first.report.usage.inputTokens + first.report.usage.outputTokens, 16_000)
      const second = yield* run(root)
      assert.sameMembers([...(second.report.wiki?.model?.written ?? [])], [...missing])
      assert.deepStrictEqual(pagesOf(root), all)
    }),
  )

  it.scoped("lets no model write with the offline guide", () =>
    Effect.gen(function* () {
      const { root } = yield* shop
      const offline = yield* Effect.provide(LanguageModel.LanguageModel, Offline.layer)
      const { report } = yield* run(root, { model: offline })
      assert.isNull(report.wiki?.model)
      assert.include(pagesOf(root), "index.md")
    }),
  )

  it.scoped("says why a wiki of a newer version is left as it is, and explains the code all the same", () =>
    Effect.gen(function* () {
      const { root } = yield* written
      const file = path.join(root, ".vibe/wiki/plan.json")
      const plan: unknown = JSON.parse(fs.readFileSync(file, "utf8"))
      assert.isObject(plan)
      fs.writeFileSync(file, JSON.stringify({ ...(plan as object), version: 99 }))
      const { kinds, report } = yield* run(root)
      assert.deepStrictEqual(kinds, [])
      assert.include(report.wiki?.failure ?? "", "newer version")
      assert.strictEqual(report.outcome, "complete")
    }),
  )
})
