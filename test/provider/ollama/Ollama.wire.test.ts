import * as Ollama from "../../../src/provider/ollama/Ollama.ts"
import * as Recordings from "../../utils/Recordings.ts"

Recordings.decoded({
  provider: "ollama",
  attempt: (url) => Ollama.attempt({ model: "llama3", host: url }),
  // The other recordings were made at Ollama's OpenAI-compatible address.
  unsettled: (_, { protocol }) => (protocol === "ollama-native" ? undefined : `it speaks ${protocol}`),
  atLeast: { ok: 3, error: 0 },
})
