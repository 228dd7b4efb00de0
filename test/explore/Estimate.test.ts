import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Batches from "../../src/explore/Batches.ts"
import * as Estimate from "../../src/explore/Estimate.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Message from "../../src/message/Message.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as IndexTools from "../../src/toolbox/IndexTools.ts"
import * as Indexing from "../utils/Indexing.ts"

const body = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `  const ${name}${i} = await fetch(\`/${name}/\${id}/${i}\`)\n`).join("")

const kinds = ["order", "cancel", "refund", "ship", "pack", "weigh", "label", "track"]

/** Files with so many functions each, of so many lines. */
const repository = (files: number, lines = 14, functions = kinds.length): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["/repo/README.md", "# Shop\n\nSells things to people.\n"],
    ...Array.from({ length: files }, (_, i): [string, string] => [
      `/repo/src/part${i}.ts`,
      kinds
        .slice(0, functions)
        .map((name) => `export async function ${name}${i}(id: string) {\n${body(name, lines)}}\n`)
        .join("\n"),
    ]),
  ])

const estimateOf = (options: Partial<Estimate.Options> = {}) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const { tools } = IndexTools.make(workspace, index)
    return yield* Estimate.make(workspace, index, tools, {
      rootPath: "/repo",
      maxRequests: 20,
      ...options,
    })
  }).pipe(Effect.scoped)

const textOf = (message: Message.Message): string =>
  Message.text(message) +
  message.content.map((block) => (block.type === "tool-use" ? JSON.stringify(block.parameters) : "")).join("")

const tokensOf = ({ messages, system, tools }: Request): number =>
  0.3 *
  (Tokens.lengthOf(system) +
    tools.reduce(
      (sum, { description, name, parameters }) => sum + JSON.stringify({ name, description, parameters }).length,
      0,
    ) +
    messages.reduce((sum, message) => sum + Tokens.lengthOf(textOf(message)), 0))

describe("Estimate.make", () => {
  it.effect("is within a quarter of what a whole run takes of a model that explains all that is asked", () =>
    Effect.gen(function* () {
      const files = repository(6)
      const spent = yield* Ref.make({ requests: 0, input: 0, output: 0 })
      const script = (request: Request): Scripted.Line => {
        const asked = Message.text(request.messages[0] ?? Message.user(""))
        const numbers = Array.from(asked.matchAll(/^§(\d+)/gm), ([, number]) => number)
        const answer =
          numbers.length > 0
            ? Scripted.calls([
                "create_index_entry",
                {
                  entries: [
                    {
                      purposes: numbers.map(
                        (n) =>
                          `${n}: Tells the warehouse number ${n} what customers have ordered, lest it be lost. Who sends number ${n} after somebody bought it?`,
                      ),
                    },
                  ],
                },
              ])
            : request.messages.some(({ role }) => role === "tool")
              ? "Sells things. ".repeat(90)
              : Scripted.calls(["list_filesystem", { path: "." }], ["read_file", { path: "README.md" }])
        const output = 0.3 * (typeof answer === "string" ? answer : JSON.stringify(answer.toolCalls)).length
        Effect.runSync(
          Ref.update(spent, (sums) => ({
            requests: sums.requests + 1,
            input: sums.input + tokensOf(request),
            output: sums.output + output,
          })),
        )
        return answer
      }
      const { estimate, report } = yield* Effect.gen(function* () {
        const estimate = yield* estimateOf({ summaries: true })
        const report = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, { all: true })
        return { estimate, report }
      }).pipe(
        Effect.provide(
          Indexing.layer(
            files,
            Scripted.layer((request) => script(request)),
          ),
        ),
      )
      const { input, output, requests } = yield* Ref.get(spent)
      // Eight functions of each of the six files, and what each file is for.
      assert.deepStrictEqual([report.leftSymbols, report.purposesWritten, estimate.all.symbols], [0, 54, 54])
      assert.deepStrictEqual(estimate.one, estimate.all)
      assert.approximately(estimate.all.requests, requests, 1)
      assert.approximately(estimate.all.inputTokens / input, 1, 0.25)
      assert.approximately(estimate.all.outputTokens / output, 1, 0.25)
    }),
  )

  it.effect(
    "parts what one exploration does from what all of it takes, in batches of one size where files are many",
    () =>
      Effect.gen(function* () {
        const maxTokens = 1_600
        const estimate = yield* estimateOf({ maxTokens })
        const { batches } = yield* Effect.gen(function* () {
          const workspace = yield* Workspace.open("/repo")
          const index = yield* (yield* IndexStore.IndexStore).open(workspace)
          return yield* Batches.measure(workspace, index, { maxTokens })
        }).pipe(Effect.scoped)
        const tokens = batches.reduce((sum, batch) => sum + batch.tokens, 0)
        assert.isTrue(estimate.isSampled)
        assert.strictEqual(estimate.all.symbols, 210 * 3)
        assert.approximately(estimate.all.requests / (batches.length + 2), 1, 0.15)
        const ofBatches = estimate.all.inputTokens - estimate.lookAround.inputTokens
        // The task, the tools and the map take 1,300 tokens of each.
        assert.approximately(ofBatches / (tokens + 1_300 * batches.length), 1, 0.1)
        assert.strictEqual(estimate.one.requests, 20)
        assert.isBelow(estimate.one.symbols, estimate.all.symbols)
        assert.strictEqual(Estimate.explorations(estimate), 2)
      }).pipe(Effect.provide(Indexing.layer(repository(210, 4, 3), Scripted.layer([])))),
  )

  it.effect("tells what of it a second model takes, which explains types", () =>
    Effect.gen(function* () {
      const { all, lite, one } = yield* estimateOf({ lite: {} })
      assert.deepStrictEqual([all.symbols, lite?.all.symbols, lite?.all.requests], [9, 1, 1])
      assert.deepStrictEqual([one, lite?.one], [all, lite?.all])
      const own = Estimate.without(all, lite?.all)
      assert.deepStrictEqual([own.symbols, own.requests], [8, 3])
      assert.strictEqual((yield* estimateOf()).lite, undefined)
    }).pipe(
      Effect.provide(
        Indexing.layer(
          { ...repository(1), "/repo/src/order.ts": "export interface Order {\n  id: string\n}\n" },
          Scripted.layer([]),
        ),
      ),
    ),
  )

  it.effect("gives the first request to the model of the run, and the next to the model with fewer tokens so far", () =>
    Effect.gen(function* () {
      const limited = (maxRequests: number) =>
        Effect.map(estimateOf({ lite: {}, isMapDue: false, maxRequests }), ({ firstBatch, lite, one }) => ({
          first: firstBatch.symbols,
          ofOne: one.symbols,
          ofLite: lite?.one.symbols,
        }))
      assert.deepStrictEqual(yield* limited(1), { first: 8, ofOne: 8, ofLite: 0 })
      assert.deepStrictEqual(yield* limited(2), { first: 8, ofOne: 9, ofLite: 1 })
    }).pipe(
      Effect.provide(
        Indexing.layer(
          { ...repository(1), "/repo/src/order.ts": "export interface Order {\n  id: string\n}\n" },
          Scripted.layer([]),
        ),
      ),
    ),
  )

  it.effect("lets a model go on that has fewer tokens so far, whatever its number of requests", () =>
    Effect.gen(function* () {
      const limits = { lite: { maxSymbols: 1 }, maxSymbols: 4, isMapDue: false }
      const { lite, one } = yield* estimateOf({ ...limits, maxRequests: 4 })
      assert.deepStrictEqual([one.symbols, lite?.one.symbols], [7, 3])
    }).pipe(
      Effect.provide(
        Indexing.layer(
          {
            ...repository(1),
            "/repo/src/order.ts": ["Order", "Item", "Guest"]
              .map((name) => `export interface ${name} {\n  id: string\n}\n`)
              .join("\n"),
          },
          Scripted.layer([]),
        ),
      ),
    ),
  )

  it.effect("is for the second model alone if there are only types", () =>
    Effect.gen(function* () {
      const { all, lite } = yield* estimateOf({ lite: {}, isMapDue: false })
      assert.deepStrictEqual([all.symbols, all.requests], [1, 1])
      assert.deepStrictEqual(lite, { one: all, all })
    }).pipe(
      Effect.provide(
        Indexing.layer({ "/repo/src/order.ts": "export interface Order {\n  id: string\n}\n" }, Scripted.layer([])),
      ),
    ),
  )

  it.effect("is nothing where nothing is left to explain", () =>
    Effect.gen(function* () {
      const { all, firstBatch, one } = yield* estimateOf()
      const nothing = { symbols: 0, requests: 0, inputTokens: 0, outputTokens: 0 }
      assert.deepStrictEqual([one, all, firstBatch], [nothing, nothing, nothing])
    }).pipe(Effect.provide(Indexing.layer({ "/repo/README.md": "# Shop\n" }, Scripted.layer([])))),
  )

  it.effect("counts no look around where none is due", () =>
    Effect.gen(function* () {
      const [due, other] = [yield* estimateOf(), yield* estimateOf({ isMapDue: false })]
      assert.strictEqual(due.all.requests - other.all.requests, 2)
      assert.isAbove(due.all.inputTokens, other.all.inputTokens)
      assert.strictEqual(due.all.symbols, other.all.symbols)
    }).pipe(Effect.provide(Indexing.layer(repository(2), Scripted.layer([])))),
  )
})
