/**
 * The built-in offline guide, which explores a codebase with the same tools and the same agent loop as a language
 * model, but needs no key and no network. It follows fixed rules: it reads the documents of the project, lists its main
 * folders and the symbols that most files use, and ends with a map. It records no purposes: those that comments state
 * are in the index already, and it has no others.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ModelId } from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Part } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import { draw } from "./map.ts"
import { readNotes } from "./notes.ts"
import { nextCalls } from "./route.ts"

export const id = new ModelId({ provider: "offline", name: "offline" })

/** The guide is deterministic: the same conversation gets the same answer. */
export const make: LanguageModel.Service = {
  ...LanguageModel.make(id, (request, emit) => Effect.suspend(() => emit(answer(request)))),
  followsInstructions: false,
}

export const layer: Layer.Layer<LanguageModel.LanguageModel> = Layer.succeed(LanguageModel.LanguageModel, make)

const answer = (request: Request): ReadonlyArray<Part> => {
  const notes = readNotes(request.messages)
  const calls = nextCalls(notes)
  return [
    ...(calls.length === 0 ? [Part.Text({ text: draw(notes) })] : []),
    ...calls.map(({ name, parameters }) => Part.ToolUse({ name, parameters })),
    Part.Finish({ reason: calls.length === 0 ? "stop" : "tool_calls", usage: Usage.none }),
  ]
}
