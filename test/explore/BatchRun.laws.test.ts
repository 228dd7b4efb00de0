import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import { Blocked, ContextOverflow } from "../../src/model/ModelError.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { cases } from "../thoroughness.ts"
import { explain, explore, failing, guided, lastText, symbolsIn } from "./batchRuns.ts"

describe("laws of explorations in batches", () => {
  const Behaviour = Schema.Literal("all", "half", "none", "words", "other tool", "blocked", "too long", "nonsense")

  it.effect.prop(
    "asks for no symbol more than twice, sends at most twenty requests an exploration, and keeps all that was recorded",
    [
      FastCheck.array(FastCheck.constantFrom(...Behaviour.literals), { minLength: 1, maxLength: 12 }),
      FastCheck.integer({ min: 1, max: 30 }),
      FastCheck.integer({ min: 1, max: 4 }),
      FastCheck.boolean(),
    ],
    ([behaviours, count, parallel, all]) =>
      Effect.gen(function* () {
        const asked = new Map<string, number>()
        const prefixes = new Set<string>()
        const answer = guided((request, index) => {
          const symbols = symbolsIn(request)
          const text = lastText(request)
          prefixes.add(request.system + text.slice(0, text.indexOf("\nFrom ")))
          const behaviour = behaviours[index % behaviours.length]
          if (behaviour !== "too long") for (const [, name] of symbols) asked.set(name, (asked.get(name) ?? 0) + 1)
          switch (behaviour) {
            case "half":
              return explain(symbols.slice(0, Math.ceil(symbols.length / 2)))
            case "none":
              return explain([])
            case "words":
              return "It is a fine house."
            case "other tool":
              return Scripted.calls(["list_filesystem", { path: "." }])
            case "blocked":
              return failing(new Blocked({ message: "no" }))
            case "too long":
              return failing(new ContextOverflow({ message: "too long" }))
            case "nonsense":
              return Scripted.calls(["create_index_entry", { entries: [{ purposes: ["99: It is not there."] }] }])
            default:
              return explain(symbols)
          }
        })
        const { events, exit } = yield* explore({ answer, count, parallel, all })
        const report = yield* exit
        assert.isAtMost(Math.max(0, ...asked.values()), 2)
        assert.isAtMost(prefixes.size, 1)
        for (const event of events) if (event._tag === "Asked") assert.isAtMost(event.iteration, 20)
        assert.isAtMost(report.iterations, 20 * report.explorations)
        assert.strictEqual(report.purposes.model, report.purposesWritten)
        assert.strictEqual(report.leftSymbols, count - report.purposesWritten)
      }),
    { fastCheck: { numRuns: cases(25) } },
  )
})
