/**
 * A process of the bench of the providers: `provider.mjs ARM NAME URL TOKENS WARM ROUNDS TIMES [MEMORY]` asks the same
 * question again and again. Prints, as JSON, the microseconds of CPU that an answer took in each round, all threads of
 * the process together; with MEMORY, the bytes of the heap after each round, garbage collected.
 */
import { setImmediate } from "node:timers/promises"
import { type Name, token } from "../Wires.ts"
import type { Conversation } from "./bareSdk.ts"

const [, , arm, wire, url = "", tokens, warm, rounds, times, memory] = process.argv

// Of `Wires.names`: the bench gives no other.
const name = wire as Name

const conversation: Conversation = {
  system: "You answer questions about a codebase, in few words.",
  messages: [
    { role: "user", text: "Which file decides how often a request is made again, and after which delay?" },
    { role: "assistant", text: "It is `Retry.ts`: three times, after two, four and eight seconds." },
    { role: "user", text: "And who decides how long a stream may be silent?" },
  ],
}

const open = arm === "vibe" ? (await import("./adapters.ts")).open(name) : (await import("./bareSdk.ts")).arms[name]
const ask = await open(url, conversation)

const expected = token.repeat(Number(tokens))

const askTimes = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    if ((await ask()) !== expected) throw new Error(`${arm}, ${name}: another answer than was given`)
  }
}

/** What one turn leaves may go only after the next tick. */
const heap = async (): Promise<number> => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await setImmediate()
  }
  return process.memoryUsage().heapUsed
}

await askTimes(Number(warm))
const figures: Array<number> = []
for (let round = 0; round < Number(rounds); round++) {
  const before = process.cpuUsage()
  await askTimes(Number(times))
  const { system, user } = process.cpuUsage(before)
  figures.push(memory === undefined ? (system + user) / Number(times) : await heap())
}
process.stdout.write(JSON.stringify(figures))
process.exit()
