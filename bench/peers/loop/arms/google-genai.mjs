// Floor with the SDK: @google/genai in a hand-written loop.
import { declarations } from "./raw-fetch.mjs"

export const meta = { title: "@google/genai, hand loop", peer: "loop/google-genai" }
export const peer = "loop/google-genai"
export const load = async ({ from }) => from(peer)("@google/genai")

export const run = async ({ lib, url, stream, tool, onText }) => {
  const ai = new lib.GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } })
  const contents = [{ role: "user", parts: [{ text: "Go." }] }]
  const config = { tools: [{ functionDeclarations: declarations }] }
  for (;;) {
    const parts = []
    let text = ""
    if (stream) {
      for await (const chunk of await ai.models.generateContentStream({ model: "fake-1", contents, config })) {
        for (const p of chunk.candidates?.[0]?.content?.parts ?? [])
          if (p.text !== undefined) {
            text += p.text
            onText(p.text)
          } else parts.push(p)
      }
      if (text) parts.push({ text })
    } else {
      const got = await ai.models.generateContent({ model: "fake-1", contents, config })
      for (const p of got.candidates[0].content.parts) {
        if (p.text !== undefined) text += p.text
        parts.push(p)
      }
    }
    contents.push({ role: "model", parts })
    const calls = parts.filter((p) => p.functionCall)
    if (calls.length === 0) return text
    contents.push({
      role: "user",
      parts: calls.map(({ functionCall: f }) => ({
        functionResponse: { name: f.name, response: { output: tool(f.args) } },
      })),
    })
  }
}
