import { assert, describe, it } from "@effect/vitest"
import * as RepeatedFrame from "../../../src/explore/internal/RepeatedFrame.ts"

const file = [
  "def build(delta, seconds, jar, proxies):",
  "    if isinstance(delta, timedelta): return seconds",
  "    for cookie in jar: headers.update(cookie, verify, redirect)",
  "    raise TooManyRedirects(response, history, chunk, encoding, stream)",
  "    adapter.mount(prefix, session, netrc, digest, nonce, realm, socket, pool)",
].join("\n")

const words =
  "isinstance timedelta seconds jar cookie headers verify redirect response history chunk encoding stream proxies adapter mount prefix session netrc digest nonce realm socket pool".split(
    " ",
  )

/** The word of a salad: different ones for each number and place. */
const word = (n: number, place: number): string => words[(n * 5 + place * (1 + (n % 4)) + place) % words.length] ?? ""

const frames: ReadonlyArray<(n: number) => string> = [
  (n) =>
    `Lets callers handle ${word(n, 0)} ${word(n, 1)} together with ${word(n, 2)} ${word(n, 3)}. When does ${word(n, 2)} matter?`,
  (n) => `Turns ${word(n, 0)} into ${word(n, 1)} by ${word(n, 2)} and ${word(n, 3)}. What turns ${word(n, 0)}?`,
  (n) => `The ${word(n, 0)} of ${word(n, 1)} and the ${word(n, 2)} of ${word(n, 3)}. Where is the ${word(n, 4)}?`,
]

const good = [
  "Keeps cookies from one request to the next. How does a client stay logged in?",
  "Refuses certificates of unknown authorities. Why is my TLS connection rejected?",
  "Follows redirects until thirty hops were made. How many times may a server send me elsewhere?",
  "Guesses the charset of a body without a header. Why are umlauts broken?",
  "Reads the body piecewise, so that large downloads fit in memory. How do I download big files?",
  "Remembers each hop on the way to an answer. Which addresses did my call pass?",
  "Chooses the proxy for an address, the longest prefix first. How do I go through a corporate gateway?",
  "Measures the time between sending and the first byte. How long did the server take?",
  "Drops the password when another host is visited. Can credentials leak?",
  "Lets one failing download not end the others. What happens to parallel calls?",
]

const sentences = (texts: ReadonlyArray<string>) =>
  texts.map((text, n) => ({ path: "a.py", qualifiedName: `symbol${n}`, text, file }))

const count = (texts: ReadonlyArray<string>) => RepeatedFrame.findFramed(sentences(texts)).size

describe("RepeatedFrame.findFramed", () => {
  it("finds keywords of a file in one frame, in several, and beside as many good purposes", () => {
    for (const frame of frames) {
      const texts = Array.from({ length: 20 }, (_, n) => frame(n))
      assert.isAtLeast(count(texts), 18, texts[0])
      assert.isAtLeast(count([...texts, ...good]), 18, texts[0])
    }
    assert.isAtLeast(count(Array.from({ length: 45 }, (_, n) => frames[n % 3]?.(n) ?? "")), 40)
  })

  it.each<readonly [string, (n: number) => string]>([
    ["three gaps and three function words", (n) => `Uses ${word(n, 0)} and ${word(n, 1)} for ${word(n, 2)}.`],
    ["a list", (n) => `For ${word(n, 0)}, ${word(n, 1)}, ${word(n, 2)} and ${word(n, 3)}.`],
    ["a question of its own", (n) => `By ${word(n, 0)} and ${word(n, 1)}. Why is ${word(n, 2)} so?`],
  ])("finds keywords in a frame of few words: %s", (_, frame) => {
    // A sentence that has one of the words twice may pass.
    const texts = Array.from({ length: 20 }, (_, n) => frame(n))
    assert.isAtLeast(count(texts), 15, texts[0])
    assert.isAtLeast(count([...texts, ...good]), 15, texts[0])
  })

  it("passes good purposes that begin and end alike", () => {
    const things = "umlauts logins gateways certificates timeouts downloads umbrellas receipts orchards sailors".split(
      " ",
    )
    const texts = things.map((thing, n) => `Uses ${word(n, 0)} and ${thing} for ${things[(n + 3) % 10]}.`)
    assert.strictEqual(count([...good, ...texts]), 0)
  })

  it("tells how many others have the frame", () => {
    const found = RepeatedFrame.findFramed(sentences(Array.from({ length: 12 }, (_, n) => frames[0]?.(n) ?? "")))
    assert.isTrue(Array.from(found.values()).every((sharing) => sharing >= 4 && sharing <= 11))
  })

  it("passes good purposes, alone and beside a few salads", () => {
    assert.strictEqual(count(good), 0)
    assert.strictEqual(count([...good, ...Array.from({ length: 4 }, (_, n) => frames[0]?.(n) ?? "")]), 0)
  })

  it("passes a family of symbols, of which each has its name in one sentence", () => {
    assert.strictEqual(count(Array.from({ length: 20 }, (_, n) => `Step symbol${n} of the run.`)), 0)
    const verbs = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]
    assert.strictEqual(count(verbs.map((verb) => `Sends a ${verb} with this session's cookies and settings.`)), 0)
  })

  it("passes documentation that was copied word for word", () => {
    const lines = Array.from({ length: 20 }, (_, n) => `${word(n, 0)} ${word(n, 1)} ${word(n, 2)} ${word(n, 3)}`)
    assert.strictEqual(count(lines), 0)
  })

  it("finds nothing among four such sentences, also in shorter ones beside them, and all of it among five", () => {
    const salads = (length: number) => Array.from({ length }, (_, n) => frames[0]?.(n) ?? "")
    const short = Array.from({ length: 4 }, (_, n) => `Lets callers handle ${word(n, 2)} together.`)
    assert.strictEqual(count([...salads(4), ...short]), 0)
    assert.strictEqual(count([...salads(5), ...short]), 9)
  })

  it("finds them if they are half of all sentences, and not if they are fewer", () => {
    const salads = (length: number) => Array.from({ length }, (_, n) => frames[0]?.(n) ?? "")
    assert.isAtLeast(count([...salads(good.length), ...good]), good.length - 1)
    assert.strictEqual(count([...salads(good.length - 1), ...good]), 0)
  })

  it("passes sentences of three words of their own that are alike but for these and where they stand", () => {
    const shared =
      "build delta isinstance timedelta seconds jar headers cookie verify redirect response realm socket pool".split(
        " ",
      )
    const own = "history chunk encoding stream proxies adapter mount prefix session netrc digest nonce".split(" ")
    const alike = (length: number, common: ReadonlyArray<string>) =>
      Array.from({ length }, (_, n) => {
        const words = [...common]
        for (const at of [0, 1, 2]) words.splice((n * 2 + at * 5) % words.length, 0, own[(n * 3 + at) % 12] ?? "")
        return words.join(" ")
      })
    assert.strictEqual(count(alike(8, shared)), 0)
    assert.strictEqual(count(alike(8, shared.slice(0, 6))), 8)
  })
})
