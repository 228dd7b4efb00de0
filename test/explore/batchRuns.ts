/** Explorations in batches: a project of any size, models that explain it by a script, and what a run reports. */
import { Effect, Layer, Ref } from "effect"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Message from "../../src/message/Message.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError } from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Indexing from "../utils/Indexing.ts"

export const MAP = "A house with many doors. Guests come in by them."

/** A word that no other number has: purposes have to tell their symbols apart. */
export const word = (n: number) => `w${String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26))}rold`

export const names = (count: number) => Array.from({ length: count }, (_, n) => `open${word(n)}`)

/** So many functions without comments, each in a file of its own. */
export const house = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names(count).map((name, n) => [
      `/repo/src/${name}.ts`,
      `export function ${name}(guest: string): string {\n  return "${word(n)}" + guest\n}\n`,
    ]),
  )

export const lastText = (request: Request) =>
  Message.text(request.messages.findLast(({ role }) => role === "user") ?? Message.user(""))

export const isBatch = (request: Request) => /symbols? to explain \(§/.test(lastText(request))

/** The symbols of a request, each with its number. */
export const symbolsIn = (request: Request): ReadonlyArray<readonly [number: number, name: string]> =>
  Array.from(
    lastText(request).matchAll(/§(\d+)[^\n]*(?:\n[^\n]*?)??\bfunction (\w+)/g),
    ([, number, name = ""]) => [Number(number), name] as const,
  )

export const explain = (symbols: ReadonlyArray<readonly [number: number, name: string]>) =>
  Scripted.calls([
    "create_index_entry",
    {
      entries: [
        {
          purposes: symbols.map(
            ([n, name]) => `${n}: Lets visitors in who wait outside and call for ${name.slice(4)} at night.`,
          ),
        },
      ],
    },
  ])

export type Answer = (request: Request, index: number) => Scripted.Line

/** Writes the map, and answers batches. */
export const guided =
  (answer: Answer): Answer =>
  (request, index) =>
    isBatch(request) ? answer(request, index) : MAP

export const explaining = guided((request) => explain(symbolsIn(request)))

/** A model with room for two purposes in an answer, so that a batch has two symbols. */
export const model = (answer: Answer, requests: Array<Request> = [], name = "test") =>
  Effect.map(
    Scripted.make((request, index) => {
      requests.push(request)
      return answer(request, index)
    }, name),
    (scripted): LanguageModel.Service => ({ ...scripted, limits: { context: 1_000_000, output: 104 } }),
  )

interface Run extends Omit<IndexingOrchestrator.Options, "model"> {
  readonly answer: Answer
  readonly count: number
  /** Wraps the model. */
  readonly guard?: (model: LanguageModel.Service) => LanguageModel.Service
}

/** A run over a house, with what it asked and observed. */
export const explore = ({ answer, count, guard = (model) => model, ...options }: Run) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
    const main = guard(yield* model(answer, requests))
    const exit = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, options).pipe(
      Effect.provide(
        Indexing.layer(house(count), Layer.succeed(LanguageModel.LanguageModel, main), IndexObserver.layerTest(events)),
      ),
      Effect.exit,
    )
    return { exit, requests, batches: requests.filter(isBatch), events: yield* Ref.get(events) }
  })

export const failing = (reason: ModelError["reason"]) => new ModelError({ model: "scripted/test", reason })

export const ended = (events: ReadonlyArray<IndexEvent>) =>
  events.flatMap((event) => (event._tag === "BatchEnded" ? [event] : []))
