import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Blocks from "../../src/lookup/Blocks.ts"
import type { Place } from "../../src/lookup/Excerpt.ts"

const sizes: Blocks.Sizes = { sizeOf: (line) => line.length + 1, gap: 2 }

const place = (text: string, more: Partial<Place> = {}): Place => ({
  startLine: 1,
  endLine: text.split("\n").length,
  kind: "function",
  ...more,
})

const shown = (text: string, question: string, room: number, more: Partial<Place> = {}) =>
  Blocks.of(text, place(text, more), question, [], sizes)(room)

const sizeOf = (pieces: ReturnType<typeof shown>) =>
  pieces.flatMap(({ lines }) => lines).reduce((sum, line) => sum + sizes.sizeOf(line), 0) +
  sizes.gap * (pieces.length - 1)

const redirect = `function redirect(request, response) {
  const history = []
  for (let hop = 0; hop < limit; hop++) {
    log("hop", hop)
    history.push(response)
    if (response.status === 304) {
      store.touch(request)
      metrics.count("cache")
    } else if (response.headers.location) {
      prepare(request)
      rewind(request)
      if (request.host !== previous.host) {
        delete request.headers.authorization
        audit("stripped")
      }
      send(request)
    }
  }
  return response
}`

describe("Blocks.of", () => {
  it("shows a symbol whole if it fits, and if it is only a little too long", () => {
    for (const room of [redirect.length + 1, 0.9 * redirect.length]) {
      assert.deepStrictEqual(shown(redirect, "anything", room), [{ firstLine: 1, lines: redirect.split("\n") }])
    }
  })

  it("shows a line that matches with the conditions under which it runs", () => {
    const lines = shown(redirect, "authorization", 300).flatMap(({ lines }) => lines)
    assert.includeMembers(lines, [
      "function redirect(request, response) {",
      "  for (let hop = 0; hop < limit; hop++) {",
      "    if (response.status === 304) {",
      "    } else if (response.headers.location) {",
      "      if (request.host !== previous.host) {",
      "        delete request.headers.authorization",
    ])
  })

  it("shows the block that a matching condition opens", () => {
    const text = redirect.replace(
      "store.touch(request)",
      `store.touch(request)\n${"      wait()\n".repeat(30)}      done()`,
    )
    const lines = shown(text, "previous host", 320).flatMap(({ lines }) => lines)
    assert.includeMembers(lines, ["        delete request.headers.authorization", '        audit("stripped")'])
  })

  it("shows the code below a comment that matches", () => {
    const text = `def send(self):
    first()
    second()
    # Strip credentials
    # before going on.
    self.drop()
${"    filler()\n".repeat(60)}    last()`
    const lines = shown(text, "credentials", 120).flatMap(({ lines }) => lines)
    assert.includeMembers(lines, ["def send(self):", "    # Strip credentials", "    self.drop()"])
  })

  it("shows how a symbol ends if there is room", () => {
    const text = `def parse(text):
    tokens = split(text)
${"    filler(tokens, 1)\n".repeat(80)}    return Tree(tokens)`
    assert.include(shown(text, "split", 1_000).at(-1)?.lines ?? [], "    return Tree(tokens)")
  })

  it("begins with the first lines if no line matches", () => {
    assert.strictEqual(shown(redirect, "zebra", 120)[0]?.firstLine, 1)
  })

  it("leaves out the comment that is shown beside it", () => {
    const text = 'def send(self):\n    """Sends it."""\n    return self.post()'
    const pieces = shown(text, "send", 500, { doc: "Sends it." })
    assert.deepStrictEqual(pieces, [{ firstLine: 3, lines: ["    return self.post()"] }])
  })

  it("shows a line that is too long for the room alone", () => {
    const text = `x = [${"1, ".repeat(1_000)}]\ny = 1`
    assert.lengthOf(
      shown(text, "y", 10).flatMap(({ lines }) => lines),
      1,
    )
  })

  it("returns lines of the symbol in order, and no more than the room, except for one line", () => {
    const line = FastCheck.tuple(
      FastCheck.integer({ min: 0, max: 4 }),
      FastCheck.constantFrom("if retry {", "} else {", "}", "return retry", "# retry", "", "backoff()", "x"),
    ).map(([depth, text]) => (text === "" ? "" : `${"  ".repeat(depth)}${text}`))
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(line, { minLength: 1, maxLength: 60 }),
        FastCheck.integer({ min: 0, max: 400 }),
        FastCheck.constantFrom("retry", "backoff retry", "nothing"),
        (lines, room, question) => {
          const pieces = shown(lines.join("\n"), question, room)
          let next = 1
          for (const piece of pieces) {
            assert.isAtLeast(piece.firstLine, next)
            assert.deepStrictEqual(
              lines.slice(piece.firstLine - 1, piece.firstLine - 1 + piece.lines.length),
              piece.lines,
            )
            next = piece.firstLine + piece.lines.length
          }
          assert.isNotEmpty(pieces)
          assert.isTrue(sizeOf(pieces) <= 1.15 * room || pieces.flatMap(({ lines }) => lines).length === 1)
        },
      ),
    )
  })
})
