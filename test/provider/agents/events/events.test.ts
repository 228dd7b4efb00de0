/** The JSON events of each known agent: what of them is the answer, what a line for the user, and what a failure. */
import { assert, describe, it } from "@effect/vitest"
import * as Usage from "../../../../src/message/Usage.ts"
import type * as AgentProgram from "../../../../src/model/AgentProgram.ts"
import * as EventLines from "../../../../src/provider/agents/eventLines.ts"
import { knownAgents } from "../../../../src/provider/agents/knownAgents.ts"
import * as transcripts from "./transcripts.ts"

interface Read {
  readonly outputs: ReadonlyArray<AgentProgram.Output>
  readonly failure: string | undefined
  readonly reason: string | undefined
}

/** Reads what an agent prints in pieces of that many characters. */
const read = (agent: string, printed: string, size = printed.length): Read => {
  const events = knownAgents[agent]?.events
  if (events === undefined) throw new Error(`there is no agent ${agent}`)
  const lines = EventLines.make(events())
  const outputs: Array<AgentProgram.Output> = []
  for (let at = 0; at < printed.length; at += size) outputs.push(...lines.push(printed.slice(at, at + size)))
  const { failure, outputs: rest } = lines.end()
  return {
    outputs: [...outputs, ...rest],
    failure: failure?.message,
    reason: failure?.toReason?.(failure.message)._tag,
  }
}

const answerOf = ({ outputs }: Read) => outputs.map((output) => (output._tag === "Stdout" ? output.text : "")).join("")

const statusOf = ({ outputs }: Read) => outputs.flatMap((output) => (output._tag === "Status" ? [output.text] : []))

const spentOf = ({ outputs }: Read) => {
  const spent = outputs.flatMap((output) => (output._tag === "Usage" ? [output] : []))
  const costs = spent.flatMap(({ cost }) => cost ?? [])
  return {
    usage: spent.map(({ usage }) => usage).reduce(Usage.add, Usage.none),
    cost: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost),
  }
}

const usage = { inputTokens: 3210, outputTokens: 20, cachedTokens: 3000, thinkingTokens: 0 }

const both = "I look it up.\n\nThe answer\nis 42."

const agents: ReadonlyArray<{
  readonly agent: string
  readonly printed: string
  readonly answer: string
  readonly status: ReadonlyArray<string>
  readonly usage: Usage.Usage
  readonly cost: number | undefined
  /** Whether its answer comes in pieces. */
  readonly isStreamed: boolean
}> = [
  {
    agent: "claude",
    printed: transcripts.claude,
    answer: both,
    status: ["retry 1 of 10: server error", "Read src/a.ts"],
    usage,
    cost: 0.0125,
    isStreamed: true,
  },
  {
    agent: "codex",
    printed: transcripts.codex,
    answer: "The answer\nis 42.",
    status: [
      "$ cat src/a.ts",
      "cat src/a.ts failed: exit code 1",
      "error: Reconnecting... 1/5",
      "I look it up. Then I answer.",
    ],
    usage: { ...usage, thinkingTokens: 5 },
    cost: undefined,
    isStreamed: false,
  },
  {
    agent: "gemini",
    printed: transcripts.gemini,
    answer: both,
    status: ["read_file src/a.ts", "read_file failed: File not found", "warning: Loop detected, stopping execution"],
    usage,
    cost: undefined,
    isStreamed: true,
  },
  {
    agent: "opencode",
    printed: transcripts.openCode,
    answer: both,
    status: ["read src/a.ts", "bash failed: denied"],
    usage: { ...usage, thinkingTokens: 5 },
    cost: 0.0125,
    isStreamed: false,
  },
  {
    agent: "pi",
    printed: transcripts.pi,
    answer: both,
    status: ["retry 1 of 3: overloaded", "read src/a.ts"],
    usage,
    cost: 0.0125,
    isStreamed: true,
  },
]

describe.each(agents)("the events of $agent", ({ agent, answer, cost, isStreamed, printed, status, usage }) => {
  it("are its answer, lines about its tools, and what it has used", () => {
    const got = read(agent, printed)
    assert.strictEqual(answerOf(got), answer)
    assert.deepStrictEqual(statusOf(got), status)
    assert.deepStrictEqual(spentOf(got), { usage, cost })
    assert.isUndefined(got.failure)
  })

  it("are the same however they arrive, and with line ends of Windows", () => {
    for (const size of [1, 7, 100]) assert.deepStrictEqual(read(agent, printed, size), read(agent, printed))
    assert.deepStrictEqual(read(agent, printed.replaceAll("\n", "\r\n"), 3), read(agent, printed))
    assert.deepStrictEqual(read(agent, printed.trimEnd()), read(agent, printed))
  })

  it(isStreamed ? "stream its answer" : "have each text whole", () => {
    const { outputs } = read(agent, printed)
    const pieces = outputs.filter(({ _tag }) => _tag === "Stdout").length
    assert.strictEqual(pieces > 2, isStreamed)
    assert.strictEqual(knownAgents[agent]?.abilities.streams, isStreamed)
  })

  it("may be mixed with other lines, which are no part of the answer", () => {
    const got = read(agent, `Loading…\n\n${printed}npm notice: a new version\n`)
    assert.strictEqual(answerOf(got), answer)
    assert.includeMembers([...statusOf(got)], ["Loading…", "npm notice: a new version"])
  })

  it("need not be what a decoder expects", () => {
    const values = [null, 1, "x", [], {}, [null], { text: null }]
    const types = [...new Set(printed.match(/"type":"[^"]+"/g))].map((type) => type.slice(8, -1))
    for (const type of types) {
      for (const value of values) {
        const fields = ["message", "event", "item", "part", "error", "usage", "stats", "assistantMessageEvent"]
        const event = { type, ...Object.fromEntries(fields.map((field) => [field, value])) }
        read(agent, `${JSON.stringify(event)}\n`)
      }
    }
  })

  it("may be missing: then what is printed is the answer", () => {
    for (const plain of ["Because.\n", "{ not: JSON }\nat all", '{"type": 5}', '["a"]\n\nb', "", "\n"]) {
      for (const size of [1, 100]) {
        const got = read(agent, plain, size)
        assert.strictEqual(answerOf(got), plain)
        assert.deepStrictEqual(statusOf(got), [])
      }
    }
    const long = "words and more words\n".repeat(1000)
    assert.strictEqual(answerOf(read(agent, long, 1000)), long)
    assert.isAbove(read(agent, long, 1000).outputs.length, 10)
  })
})

describe("a failure in the events of an agent", () => {
  it.each<readonly [agent: string, printed: string, message: string, reason: string | undefined]>([
    ["claude", transcripts.claudeRefused, "Invalid API key · Please run /login", "Unauthorized"],
    ["codex", transcripts.codexFailed, "exceeded retry limit, last status: 429", undefined],
    ["gemini", transcripts.geminiFailed, "API key not valid", undefined],
    ["opencode", transcripts.openCodeFailed, "no key", undefined],
    ["pi", transcripts.piFailed, "401 invalid x-api-key", undefined],
  ])("of %s has its words, and no answer", (agent, printed, message, reason) => {
    const got = read(agent, printed)
    assert.deepStrictEqual([got.failure, got.reason, answerOf(got)], [message, reason, ""])
  })
})

describe("a whole message of claude", () => {
  it("is the answer where it was not streamed", () => {
    assert.strictEqual(answerOf(read("claude", transcripts.claudeWhole)), "The answer\nis 42.")
  })
})
