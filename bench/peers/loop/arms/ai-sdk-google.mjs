// Vercel AI SDK: generateText / streamText with stopWhen, @ai-sdk/google.
export const meta = { title: "ai (Vercel) + @ai-sdk/google", peer: "loop/ai-sdk" }
export const load = async ({ from }) => {
  const f = from("loop/ai-sdk")
  return { ai: await f("ai"), provider: await f("@ai-sdk/google"), zod: await f("zod") }
}
export const drive = async ({ lib, model, turns, stream, tool, onText }) => {
  const { ai, zod } = lib
  const options = {
    model,
    prompt: "Go.",
    stopWhen: (ai.isStepCount ?? ai.stepCountIs)(turns + 1),
    tools: {
      probe: ai.tool({
        description: "Reads one line of a file",
        inputSchema: zod.z.object({ path: zod.z.string(), line: zod.z.number().int() }),
        execute: async (args) => tool(args),
      }),
    },
  }
  if (!stream) return (await ai.generateText(options)).text
  let text = ""
  for await (const d of ai.streamText(options).textStream) {
    text += d
    onText(d)
  }
  return text
}
export const run = (o) =>
  drive({
    ...o,
    model: o.lib.provider.createGoogleGenerativeAI({ apiKey: "none", baseURL: `${o.url}/v1beta` })("fake-1"),
  })
