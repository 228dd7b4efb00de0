import { assert, describe, it } from "@effect/vitest"
import { fromStreamError, toReason } from "../../../src/provider/ollama/errors.ts"
import { HttpError } from "../../../src/provider/transport/http.ts"

const asked = { model: "m", url: "http://127.0.0.1:11434", key: "requires" }

const words = "model requires more system memory (8.4 GiB) than is available (3.2 GiB)"

describe("errors of Ollama", () => {
  it("interprets the words before it strikes out a key that is one of them", () => {
    const message = words.replace("requires", "[key]")
    const refused = new HttpError(500, JSON.stringify({ error: words }), new Headers())
    assert.deepInclude(toReason(refused, asked), { _tag: "Unsupported", message })
    assert.deepInclude(fromStreamError(words, asked), { _tag: "Unsupported", message })
  })

  it("shows no control sequence of what broke an answer, and no key with one in it", () => {
    const { message } = fromStreamError("the key \u001b[1mrequi\u001b[0mres more", { ...asked })
    assert.strictEqual(message, "the key [key] more")
  })
})
