import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { Configured, run } from "../../../src/cli/completion/run.ts"
import { Commands } from "../../../src/cli/Table.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { Git } from "../../../src/review/Git.ts"
import { commands } from "../../utils/commands.ts"
import { withScript } from "../../utils/Looms.ts"

const noGit = Layer.succeed(Git, { run: () => Effect.dieMessage("git is not to be run") })

/** What is offered for `vibe ask --model PREFIX`, and how often the local server was asked. */
const offers = (prefix: string) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    let requests = 0
    const configured = Layer.succeed(Configured, {
      models: Effect.succeed(["google/gemini", "openai/gpt"]),
      pulledModels: Effect.sync(() => {
        requests++
        return ["ollama/qwen3:8b"]
      }),
      listedModels: () => Effect.succeed(["work/alpha"]),
      agents: Effect.succeed([]),
      presets: Effect.succeed([]),
    })
    yield* run({ words: ["zsh", "=ask", "=--model", `=${prefix}`] }).pipe(
      Effect.provide([Screen.layerMemory(written), configured, noGit]),
      Effect.provideService(Commands, Effect.succeed(commands)),
    )
    const words = (yield* Ref.get(written)).map(({ text }) => text.trim())
    return { words, requests }
  })

describe("vibe completion --model", () => {
  it.effect("offers the models of the local server, which is asked only where they may be meant", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offers("oll"), { words: ["ollama/qwen3:8b"], requests: 1 })
      assert.deepStrictEqual(yield* offers("ollama/q"), { words: ["ollama/qwen3:8b"], requests: 1 })
      assert.deepStrictEqual(yield* offers("o"), { words: ["openai/gpt", "ollama/qwen3:8b"], requests: 1 })
      assert.deepStrictEqual(yield* offers("goo"), { words: ["google/gemini"], requests: 0 })
      assert.include((yield* offers("")).words, "ollama/qwen3:8b")
      assert.deepStrictEqual(yield* offers("wo"), { words: ["work/alpha"], requests: 0 })
    }).pipe(withScript([])),
  )
})
