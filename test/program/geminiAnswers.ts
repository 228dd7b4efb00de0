/** Answers of Gemini's server: a whole exploration, and the ends that one can have. */
import * as FakeServer from "../utils/FakeServer.ts"
import { google, refusing } from "../utils/Gemini.ts"

export const project = {
  "README.md": `# Greeter\n\n${"It greets whoever comes. ".repeat(20)}\n`,
  "src/greet.ts": 'export function greet(name: string): string {\n  return "hello " + name\n}\n',
  "src/main.ts": 'import { greet } from "./greet.ts"\n\nexport const main = () => greet("you")\n',
}

interface Call {
  readonly name: string
  readonly args: unknown
}

/** A turn of calls, the first of them signed, as Gemini signs parallel calls. */
export const calling = (signature: string, ...calls: ReadonlyArray<Call>): FakeServer.Answer => ({
  body: FakeServer.events({
    candidates: [
      {
        content: {
          role: "model",
          parts: calls.map((functionCall, n) => ({ functionCall, ...(n === 0 && { thoughtSignature: signature }) })),
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, thoughtsTokenCount: 5 },
  }),
})

export const saying = (text: string): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] }),
})

export const listing = calling("c2lnbmF0dXJlMQ==", { name: "list_filesystem", args: { path: "." } })

export const recording: FakeServer.Answer = calling("c2lnbmF0dXJlNA==", {
  name: "create_index_entry",
  args: {
    entries: [
      { path: "src/greet.ts", symbol: "greet", purpose: "Welcomes a visitor in a friendly tone." },
      { path: "src/main.ts", symbol: "main", purpose: "Starts the show." },
    ],
  },
})

export const turns: readonly [FakeServer.Answer, ...ReadonlyArray<FakeServer.Answer>] = [
  listing,
  calling(
    "c2lnbmF0dXJlMg==",
    { name: "read_file", args: { path: "src/greet.ts" } },
    { name: "read_file", args: { path: "src/main.ts" } },
    { name: "list_symbols_in_file", args: { path: "src/greet.ts" } },
  ),
  calling("c2lnbmF0dXJlMw==", { name: "get_symbol_details", args: { symbolName: "greet", path: "src/greet.ts" } }),
  recording,
  saying("A small greeter."),
]

export const ending = (finishReason: string): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ finishReason }], usageMetadata: { promptTokenCount: 100 } }),
})

export const tooLong = refusing(
  400,
  google(400, "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576)."),
)
