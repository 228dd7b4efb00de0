/** Interviews with a scripted model, which record what models and tools receive. */
import { Effect, Schema } from "effect"
import * as ConversationEngine from "../../src/conversation/engines/ConversationEngine.ts"
import * as SessionComplete from "../../src/conversation/engines/SessionComplete.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { withScript } from "./Looms.ts"

export const systemPrompt = "You are an interviewer.\n\n  # With {{marks}} of its own\t\n"

/** What tools were called with, and what models were asked, in order. */
export interface Heard {
  readonly requests: Array<Request>
  readonly calls: Array<unknown>
}

export const toolsHeardBy = ({ calls }: Heard): ReadonlyArray<Tool.Tool> => {
  const note = (call: unknown) => Effect.sync(() => void calls.push(call))
  return [
    Tool.make({
      name: "file_read",
      description: "Reads.",
      parameters: Schema.Struct({ path: Schema.String }),
      readOnly: true,
      run: (args) => Effect.as(note(args), `Wrote ${args.path} by hand, long ago`),
    }),
    Tool.make({
      name: "file_write",
      description: "Writes.",
      parameters: Schema.Struct({ path: Schema.String }),
      run: ({ path }) => Effect.as(note({ wrote: path }), { text: "kept", filesWritten: [path] }),
    }),
    Tool.make({
      name: "throwing",
      description: "Throws.",
      parameters: Schema.Struct({}),
      run: () => {
        throw new Error("disk full")
      },
    }),
    SessionComplete.make,
  ]
}

/** A session over a script; what its model was asked and its tools were called with is heard. */
export const session = (
  script: Scripted.Script,
  tools: (heard: Heard) => ReadonlyArray<Tool.Tool> = toolsHeardBy,
  codebasePath = "/code",
  from?: NodeId,
) =>
  Effect.gen(function* () {
    const heard: Heard = { requests: [], calls: [] }
    const scripted = yield* Scripted.make(script)
    const model: LanguageModel.Service = {
      ...scripted,
      generate: (request, observer) => {
        heard.requests.push(request)
        return scripted.generate(request, observer)
      },
    }
    const registry = ToolRegistry.make(tools(heard))
    const engine = yield* ConversationEngine.make({ model, tools: registry, systemPrompt, codebasePath, from })
    return { ...engine, ...heard }
  })

export const inMemory = withScript([])

export const told = (messages: ReadonlyArray<Message.Message> | undefined) =>
  (messages ?? []).map((message) => [message.role, Message.text(message)])

export const { calls } = Scripted

export const failed = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no key" }) })

export const tag = (error: ConversationEngine.ConversationError) =>
  error._tag === "SessionError" || error._tag === "ModelError" ? error.reason._tag : error._tag

/** The only tool results that a request holds, as text. */
export const results = (request: Request | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === "tool" ? [Message.text(message)] : []))
