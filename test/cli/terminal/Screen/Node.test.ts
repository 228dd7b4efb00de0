import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeScreen from "../../../../src/cli/terminal/Screen/Node.ts"

const drawn = "── a · b • c… ⠏ ✓ done ✗ failed → x ██░░ 12 │ code ├─ └─ × 2"
const letters = "Grüße, 日本 “quoted”, it’s 5 € and 🙂"

/** What a stream of the process writes for a text. */
const written = (text: string, { isTTY, isDumb = false, isAscii = false }: Given) =>
  Effect.gen(function* () {
    const chunks: Array<string> = []
    const process = {
      isTTY,
      columns: 80,
      write: (chunk: string | Uint8Array) => {
        chunks.push(String(chunk))
        return true
      },
    }
    const options = { noColor: true, forceColor: false, isDumb, takesLinesOnly: isDumb || isAscii }
    const stream = NodeScreen.stream(process, options)
    yield* stream.write(text)
    return { text: chunks.join(""), canRedraw: stream.canRedraw }
  })

interface Given {
  readonly isTTY: boolean
  readonly isDumb?: boolean
  readonly isAscii?: boolean
}

describe("a stream of the process", () => {
  it.effect("draws in ASCII on a dumb terminal, and on one of another encoding; letters stay as they are", () =>
    Effect.gen(function* () {
      const ascii = "-- a - b - c... * + done x failed -> x ##.. 12 | code +- +- x 2"
      assert.deepStrictEqual(yield* written(drawn, { isTTY: true, isDumb: true }), { text: ascii, canRedraw: false })
      assert.deepStrictEqual(yield* written(drawn, { isTTY: true, isAscii: true }), { text: ascii, canRedraw: true })
      assert.strictEqual((yield* written(letters, { isTTY: true, isDumb: true })).text, letters)
    }),
  )

  it.effect("writes the same bytes everywhere else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* written(drawn, { isTTY: true }), { text: drawn, canRedraw: true })
      assert.deepStrictEqual(yield* written(drawn, { isTTY: false, isDumb: true }), { text: drawn, canRedraw: false })
      assert.deepStrictEqual(yield* written(drawn, { isTTY: false, isAscii: true }), { text: drawn, canRedraw: false })
    }),
  )
})
