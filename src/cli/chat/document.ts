/** The work of `vibe chat --document FILE`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DocumentPrompt from "../../session/document/DocumentPrompt.ts"
import * as TextFile from "../../session/document/TextFile.ts"
import * as Document from "../../session/modes/Document.ts"
import * as OfferedTools from "../../session/OfferedTools.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as Listing from "../session/Listing.ts"
import * as Start from "../session/Start.ts"
import * as SystemPrompt from "../session/SystemPrompt.ts"

export interface Input extends Start.Arguments {
  /** The file. */
  readonly document: string
  readonly system: Option.Option<string>
  readonly tools: boolean
  readonly list: boolean
  readonly search: Option.Option<string>
  readonly json: boolean
}

export const run = Effect.fn("cli.document")(function* (input: Input) {
  const { document, json, list, search, system, tools, ...typed } = input
  const program = `vibe chat --document ${document}`
  const file = yield* TextFile.open(document)
  const listing = { owner: Document.owner(file), program, json }
  if (Option.isSome(search)) return yield* Listing.search(listing, search.value)
  if (list) return yield* Listing.newest(listing)
  const systemPrompt = yield* SystemPrompt.readOr(system, DocumentPrompt.systemPrompt)
  const offered = yield* OfferedTools.OfferedTools
  const isThere = Option.isSome(yield* file.read)
  yield* Start.run(typed, {
    program,
    mode: Document.make({ file, systemPrompt }),
    tools: tools ? yield* offered : ToolRegistry.make([]),
    offered,
    facts: [
      isThere
        ? `beside ${file.path}: edit it as you like, the model is told when you save it`
        : `beside ${file.path}, which is not there yet: the first change makes it`,
    ],
  })
}, Effect.scoped)
