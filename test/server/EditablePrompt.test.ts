/** The editable prompt over HTTP: the words of its specification, and edits of several pages and a model at once. */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import * as Text from "../../src/message/Message.ts"
import type { Request } from "../../src/model/Request.ts"
import { cases } from "../thoroughness.ts"
import * as Serving from "../utils/Serving.ts"

const SYSTEM = "You help users create images..."

const lines = ({ messages, system }: Request) => [
  `[system] ${system}`,
  ...messages.map((message) => `[${message.role}] ${Text.text(message)}`),
]

/** Says something, and waits until it is answered. */
const say = async (client: Serving.Client, id: string, text: string) => {
  const heard = await client.listen()
  const { leaf } = await client.get(`/conversations/${id}`)
  await client.post(`/conversations/${id}/messages`, { parent: leaf, text })
  await heard.until((event) => event.type === "answer" && event.answer.state !== "running")
  heard.close()
  return client.get(`/conversations/${id}`)
}

const edit = async (client: Serving.Client, id: string, text: string) => {
  const { document } = await client.get(`/conversations/${id}`)
  return client.put(`/conversations/${id}/document`, { text, version: document.version })
}

describe("the editable prompt over HTTP", () => {
  it.scopedLive("sends the requests that the specification shows, word for word", () => {
    const requests: Array<Request> = []
    const answers = [
      "A cat in a hat! Let me ask...",
      "Got it! Here's what I have:\n\nPrompt: a tabby cat wearing a wizard hat, fantasy style",
      "Purple it is.",
    ]
    return Effect.gen(function* () {
      const model = Serving.scripted((request) => {
        requests.push(request)
        return answers[requests.length - 1] ?? ""
      })
      const client = yield* Serving.serve({ model, systemPrompt: SYSTEM })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await say(client, id, "I want a cat in a hat")
        const { document } = await say(client, id, "Make it a tabby cat with a wizard hat")
        assert.strictEqual(document.text, "a tabby cat wearing a wizard hat, fantasy style")
        assert.isFalse(document.edited)
        const edited = await edit(client, id, "a tabby cat wearing a sparkly wizard hat, fantasy style")
        assert.isTrue(edited.edited)
        const state = await say(client, id, "Now make the background purple")
        assert.isFalse(state.document.edited)
        assert.deepStrictEqual(lines(requests[2] as Request), [
          "[system] You help users create images...",
          "[user] I want a cat in a hat",
          "[assistant] A cat in a hat! Let me ask...",
          "[user] Make it a tabby cat with a wizard hat",
          "[assistant] Got it! Here's what I have:\n\nPrompt: a tabby cat wearing a wizard hat, fantasy style",
          '[system] [user edited prompt to: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
          "[user] Now make the background purple",
          '[system] [current prompt: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
        ])
        const versions = await client.get(`/conversations/${id}/document/versions`)
        assert.deepStrictEqual(
          versions.map(({ by, text }: { by: string; text: string }) => [by, text]),
          [
            ["user", "a tabby cat wearing a sparkly wizard hat, fantasy style"],
            ["model", "a tabby cat wearing a wizard hat, fantasy style"],
          ],
        )
      })
    })
  })

  it.scopedLive("tells the model of an edit once, and not of one that was taken back", () => {
    const requests: Array<Request> = []
    return Effect.gen(function* () {
      const model = Serving.scripted((request) => (requests.push(request) === 1 ? "Prompt: a cat" : "ok"))
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await say(client, id, "draw")
        await edit(client, id, "a dog")
        await edit(client, id, "a cat")
        await say(client, id, "and?")
        await edit(client, id, "a tabby cat")
        await say(client, id, "now?")
        const state = await say(client, id, "again?")
        const notices = state.messages.filter(({ kind }: { kind: string }) => kind === "notice")
        assert.deepStrictEqual(
          notices.map(({ text }: { text: string }) => text),
          ['[user edited prompt to: "a tabby cat"]'],
        )
      })
    })
  })

  it.scopedLive("refuses a text made from an older version with the one that there is", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const put = (text: string, version: number) =>
          client.send("PUT", `/api/conversations/${id}/document`, { text, version })
        assert.strictEqual((await put("one", 0)).body.version, 1)
        const { body, status } = await put("two", 0)
        assert.strictEqual(status, 409)
        assert.strictEqual(body.document.text, "one")
        // Of two at the same time, one.
        const both = await Promise.all([put("three", 1), put("four", 1)])
        assert.sameMembers(
          both.map((answer) => answer.status),
          [200, 409],
        )
      })
    }),
  )

  it.scopedLive(
    "loses no word of two people who write while a model does",
    () =>
      Effect.gen(function* () {
        /** Adds a line of its own to the text that it was sent. */
        let turn = 0
        const model = Serving.scripted((request) => {
          const last = request.messages.at(-1)
          const text = /^\[current prompt: "(.*)"\]$/s.exec(last === undefined ? "" : Text.text(last))?.[1] ?? ""
          return `<document>\n${text.replace(/\n?$/, "\n")}model ${turn++}\n</document>`
        })
        const client = yield* Serving.serve({ model })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(fc.constantFrom("a", "b", "m"), { minLength: 4, maxLength: 14 }),
              async (steps) => {
                const id = await Serving.begin(client)
                await edit(client, id, "top of a\n\nmiddle\n\ntop of b\n")
                const written: Array<string> = []
                /**
                 * As the page does: each edit is made in the newest text, at a place of its
                 * own, and sent again after a 409.
                 */
                const write = async (who: string, word: string): Promise<void> => {
                  const { document } = await client.get(`/conversations/${id}`)
                  const text = document.text.replace(`top of ${who}`, `top of ${who} ${word}`)
                  const sent = await client.send("PUT", `/api/conversations/${id}/document`, {
                    text,
                    version: document.version,
                  })
                  if (sent.status === 409) return write(who, word)
                  assert.strictEqual(sent.status, 200)
                }
                const queues = { a: Promise.resolve(), b: Promise.resolve(), m: Promise.resolve() as Promise<unknown> }
                for (const [index, who] of steps.entries()) {
                  if (who === "m") queues.m = queues.m.then(() => say(client, id, `turn ${index}`))
                  else {
                    const word = `${who}${index}`
                    written.push(word)
                    queues[who as "a" | "b"] = queues[who as "a" | "b"].then(() => write(who, word))
                  }
                }
                await Promise.all([queues.a, queues.b, queues.m])
                const { document } = await client.get(`/conversations/${id}`)
                for (const word of written) assert.match(document.text, new RegExp(`\\b${word}\\b`))
              },
            ),
            { numRuns: cases(10) },
          ),
        )
      }),
    60_000,
  )

  it.scopedLive(
    "loses no character of two clients that type into the same lines while a model replaces them",
    () =>
      Effect.gen(function* () {
        /** How the model changes the text that it was sent: a line at a place in thousandths, or all of it. */
        let changes: ReadonlyArray<{ readonly isAll: boolean; readonly place: number }> = []
        let turn = 0
        /** What the model had before it when it removed it. */
        let removed = new Set<string>()
        const scripted = Serving.scripted((request) => {
          const last = request.messages.at(-1)
          const text = /^\[current prompt: "(.*)"\]$/s.exec(last === undefined ? "" : Text.text(last))?.[1] ?? ""
          const { isAll = false, place = 0 } = changes[turn % changes.length] ?? {}
          const lines = text.split("\n")
          const line = `model ${turn++}`
          const next = isAll ? line : lines.toSpliced(Math.floor((place * lines.length) / 1001), 1, line).join("\n")
          for (const character of text) if (!next.includes(character)) removed.add(character)
          return `<document>\n${next}\n</document>`
        })
        /** The model answers once something was typed while it thought, or nothing will be. */
        let isTyping = false
        const waiting = new Set<() => void>()
        const release = () => {
          for (const go of waiting) go()
          waiting.clear()
        }
        const thinking = Effect.promise(() => new Promise<void>((go) => (isTyping ? void waiting.add(go) : go())))
        const generate: typeof scripted.generate = (request, observer) =>
          Effect.zipRight(thinking, scripted.generate(request, observer))
        const client = yield* Serving.serve({ model: { ...scripted, generate } })
        const clients = { a: Serving.client(client.port), b: Serving.client(client.port) }
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(
                fc.record({ by: fc.constantFrom("a" as const, "b" as const, "m" as const), place: fc.nat(1000) }),
                {
                  minLength: 4,
                  maxLength: 14,
                },
              ),
              fc.array(fc.record({ isAll: fc.boolean(), place: fc.nat(1000) }), { minLength: 1, maxLength: 4 }),
              async (steps, changed) => {
                changes = changed
                removed = new Set()
                const id = await Serving.begin(client)
                await edit(client, id, "one\ntwo\nthree\n")
                const typed: Array<string> = []
                /** Anywhere in the newest text, and again after a 409. */
                const type = async (by: "a" | "b", place: number, character: string): Promise<void> => {
                  const { document } = await clients[by].get(`/conversations/${id}`)
                  const at = Math.floor((document.text.length * place) / 1000)
                  const text = document.text.slice(0, at) + character + document.text.slice(at)
                  const payload = { text, version: document.version }
                  const { status } = await clients[by].send("PUT", `/api/conversations/${id}/document`, payload)
                  if (status === 409) return type(by, place, character)
                  assert.strictEqual(status, 200)
                  release()
                }
                isTyping = true
                const queues = { a: Promise.resolve(), b: Promise.resolve(), m: Promise.resolve() }
                for (const [index, { by, place }] of steps.entries()) {
                  if (by === "m") queues.m = queues.m.then(() => say(client, id, `turn ${index}`)).then(() => {})
                  else {
                    // The model writes no such character.
                    const character = String.fromCharCode(0x4e00 + index)
                    typed.push(character)
                    queues[by] = queues[by].then(() => type(by, place, character))
                  }
                }
                await Promise.all([queues.a, queues.b])
                isTyping = false
                release()
                await queues.m
                const { document } = await client.get(`/conversations/${id}`)
                for (const character of typed) if (!removed.has(character)) assert.include(document.text, character)
              },
            ),
            { numRuns: cases(20) },
          ),
        )
      }),
    60_000,
  )
})
