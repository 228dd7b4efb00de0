import { assert, describe, it } from "@effect/vitest"
import { fromStreamError, toReason } from "../../../src/provider/ollama/errors.ts"
import { HttpError } from "../../../src/provider/transport/http.ts"

const target = { model: "m", url: "http://127.0.0.1:11434", key: "requires" }

const words = "model requires more system memory (8.4 GiB) than is available (3.2 GiB)"

describe("errors", () => {
  it("interprets the message before it redacts a key that is one of its words", () => {
    const message = words.replace("requires", "[key]")
    const response = new HttpError(500, JSON.stringify({ error: words }), new Headers())
    assert.deepInclude(toReason(response, target), { _tag: "Unsupported", message })
    assert.deepInclude(fromStreamError(words, target), { _tag: "Unsupported", message })
  })

  it("removes control sequences from errors within an answer, and keys split by them", () => {
    const { message } = fromStreamError("the key \u001b[1mrequi\u001b[0mres more", { ...target })
    assert.strictEqual(message, "the key [key] more")
  })
})
