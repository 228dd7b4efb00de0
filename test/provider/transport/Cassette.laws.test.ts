import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Schema } from "effect"
import * as Cassette from "../../../src/provider/transport/Cassette.ts"
import type { Fetch } from "../../../src/provider/transport/http.ts"
import { cases } from "../../thoroughness.ts"
import { anyText } from "../../utils/anyText.ts"

/** As accepted by `parseApiKey`. */
const keys = FastCheck.string({
  unit: FastCheck.constantFrom(...Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at))),
  minLength: 8,
  maxLength: 40,
})

/** Text from code, and text that is hard to write in JSON. */
const words = FastCheck.oneof(
  anyText(),
  FastCheck.constantFrom(
    'OpenAI(api_key="YOUR_KEY", timeout=5)\n',
    '<li key={i}>one</li> <li key="b">two</li>',
    'curl -H "Authorization: $TOKEN" "https://me:pw@example.com/v1?key=$KEY&alt=sse"',
    '{"authorization": "Basic x", "path": "C:\\\\new\\tab"}',
    "authorization='abc' x-api-key: \\",
    "map[key]-1 disk-0001-of-0002.img sk-fading-circle\u2028",
  ),
)

/** The placeholder of a secret in the texts below. */
const here = Symbol()

const texts = FastCheck.array(FastCheck.oneof({ weight: 3, arbitrary: words }, FastCheck.constant(here)))

const textOf = (pieces: ReadonlyArray<string | typeof here>, secret: string) =>
  pieces.map((piece) => (piece === here ? secret : piece)).join("")

/** With everything beyond ASCII as an escape, as Python writes it. */
const escaped = (json: string) =>
  json.replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Without any word that is as long as a key. */
const delta = (text: string) => ({ delta: { text, call: JSON.stringify({ text }) }, n: 1e21 })

/** Answers in the formats of servers, from the pieces of a text. */
const wires: ReadonlyArray<(deltas: ReadonlyArray<object>) => string> = [
  (deltas) => JSON.stringify(deltas),
  (deltas) => JSON.stringify(deltas, undefined, 2),
  (deltas) => deltas.map((delta) => `data: ${JSON.stringify(delta)}\n\n`).join(""),
  (deltas) => deltas.map((delta) => `event: delta\r\ndata:${escaped(JSON.stringify(delta))}\r\n\r\n`).join(""),
  (deltas) => deltas.map((delta) => `${JSON.stringify(delta)}\n`).join(""),
]

/** A request and its answer. */
const send = async (fetch: Fetch, body: unknown, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch("http://127.0.0.1:9/v1?alt=sse", { method: "POST", headers, body: JSON.stringify(body) })
  return response.text()
}

/** The recorded answer to a request, and the replayed one, after the file was written and read. */
const taped = async (question: string, answer: string, key: string, secrets: ReadonlyArray<string>) => {
  const exchanges: Array<Cassette.Exchange> = []
  const server: Fetch = () => Promise.resolve(new Response(answer))
  const recording = Cassette.record(server, (exchange) => void exchanges.push(exchange), secrets)
  assert.strictEqual(await send(recording, { send: question }, key), await new Response(answer).text())
  await send(recording, { send: question, heard: answer }, key)
  const files = exchanges.map((exchange) => Cassette.encode(exchange))
  const replay = Cassette.replay(
    files.map((file) => Either.getOrThrow(Cassette.decode(file))),
    secrets,
  )
  const replayed = await send(replay, { send: question }, key)
  await send(replay, { send: question, heard: replayed }, key)
  return { exchanges, replayed }
}

/** Every string in it, also in the JSON within such a string. */
const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value, ...textsIn(parsed(value))]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const linesOf = (body: string): unknown =>
  parsed(body) ?? body.split(/\r?\n/).map((line) => parsed(line.replace(/^data: ?/, "")))

const isDelta = Schema.is(Schema.Struct({ delta: Schema.Struct({ text: Schema.String }) }))

describe("Cassette", () => {
  for (const [at, wire] of wires.entries()) {
    it.effect.prop(
      `replays any exchange unchanged, wire ${at}`,
      [FastCheck.array(words), FastCheck.array(words), keys],
      ([question, answer, key]) =>
        Effect.promise(async () => {
          FastCheck.pre(![...question, ...answer].join("").includes(key))
          const body = wire(answer.map(delta))
          const { replayed } = await taped(question.join(""), body, key, [])
          assert.strictEqual(replayed, await new Response(body).text())
        }),
      { fastCheck: { numRuns: cases(40) } },
    )

    it.effect.prop(
      `redacts keys and secrets, and nothing else, wire ${at}`,
      [texts, FastCheck.array(texts, { minLength: 1 }), keys, FastCheck.boolean()],
      ([question, deltas, secret, isSent]) =>
        Effect.promise(async () => {
          const body = wire(deltas.map((pieces) => delta(textOf(pieces, secret))))
          const key = isSent ? secret : "another-key-0123456789"
          const { exchanges, replayed } = await taped(textOf(question, secret), body, key, isSent ? [] : [secret])
          for (const { request, response } of exchanges) {
            for (const text of textsIn([parsed(request.body), linesOf(response?.body ?? "")])) {
              assert.notInclude(text, secret)
            }
          }
          const redacted = deltas.map((pieces) => delta(textOf(pieces, secret).replaceAll(secret, "[key]")))
          assert.deepStrictEqual(linesOf(replayed), linesOf(wire(redacted)))
        }),
      { fastCheck: { numRuns: cases(40) } },
    )
  }

  for (const [at, wire] of wires.slice(2).entries()) {
    it.effect.prop(
      `redacts secrets that are split over events, wire ${at + 2}`,
      [texts, FastCheck.array(FastCheck.nat(50), { minLength: 1 }), keys],
      ([pieces, cuts, secret]) =>
        Effect.promise(async () => {
          const text = textOf(pieces, secret)
          const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
          const deltas = places.slice(1).map((place, at) => delta(text.slice(places[at], place)))
          const { replayed } = await taped("", wire(deltas), "another-key-0123456789", [secret])
          const events = [linesOf(replayed)].flat().filter(isDelta)
          assert.strictEqual(events.map(({ delta }) => delta.text).join(""), text.replaceAll(secret, "[key]"))
        }),
      // A piece that is JSON by itself.
      { fastCheck: { numRuns: cases(40), examples: [[[here, here], [29, 31], "!!!!!!!![]!!!!!!!!!!!"]] } },
    )
  }
})
