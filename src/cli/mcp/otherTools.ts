/**
 * Tools of `vibe mcp` that the settings name. They change nothing, and their answers are as small as those of `query`.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import { openOnce } from "../../base/mutex.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { plain } from "../../base/Style.ts"
import * as Files from "../../code/Files.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import { isReadable } from "../../forest/Node.ts"
import * as Query from "../../forest/Query.ts"
import * as Tool from "../../tool/Tool.ts"
import { ToolError } from "../../tool/ToolError.ts"
import * as IndexTools from "../../toolbox/IndexTools.ts"
import * as LookupTools from "../../toolbox/LookupTools.ts"
import * as NodeFormat from "../loom/NodeFormat.ts"
import * as StatusText from "../project/StatusText.ts"
import * as Status from "../status/run.ts"
import * as Screen from "../terminal/Screen.ts"
import { Conversations, type CurrentProject } from "./CurrentProject.ts"

/** Leaves out tools that need an index, with a warning, if there is no index and none can be made. */
export const make = Effect.fnUntraced(function* (names: ReadonlySet<string>, project: CurrentProject) {
  const files = yield* Files.Files
  const { err } = yield* Screen.Screen
  const readers = yield* project.opened.pipe(
    Effect.map(({ index, workspace }) => IndexTools.makeReadOnly(workspace, index).tools),
    Effect.catchAll(({ message }) =>
      Effect.as(Screen.line(err, sanitizeLine(`vibe: only tools that need no index are offered: ${message}`)), []),
    ),
  )
  const others = [...readers, status(project, files), yield* searchConversations]
  return others.filter(({ name }) => names.has(name)).map((tool) => limitAnswer(withoutDialect(tool), project))
})

/** Removes `$schema` from the definition of a tool, since it costs tokens and agents assume 2020-12. */
const withoutDialect = (tool: Tool.Tool): Tool.Tool => {
  const { $schema: _, ...parameters } = tool.parameters
  return { ...tool, parameters }
}

/** Limits a tool's answer to the tokens that the call allows, and adds the places at which the index is out of date. */
const limitAnswer = (tool: Tool.Tool, { current }: CurrentProject): Tool.Tool => ({
  ...tool,
  parameters: {
    ...tool.parameters,
    properties: {
      ...(isObject(tool.parameters.properties) ? tool.parameters.properties : {}),
      maxTokens: LookupTools.maxTokensSchema,
    },
  },
  execute: (input, context) =>
    Effect.gen(function* () {
      const { maxTokens, ...others } = isObject(input) ? input : {}
      const { notice } = yield* Effect.mapError(current, (reason) => new ToolError({ tool: tool.name, reason }))
      const result = yield* Effect.mapError(tool.execute(others, context), (error) => error.withNotice(notice))
      return { ...result, text: LookupTools.limit(notice, LookupTools.tokensOf(maxTokens), result.text) }
    }),
})

const status = ({ each }: CurrentProject, files: Files.Service): Tool.Tool =>
  Tool.make({
    name: "status",
    description: "How much of the codebase is indexed and explained, by language, and what is out of date.",
    parameters: Schema.Struct({}),
    readOnly: true,
    run: () =>
      Effect.gen(function* () {
        const texts = yield* Effect.forEach(yield* each, (project) =>
          Effect.map(Effect.provideService(Status.read(project), Files.Files, files), ({ details, status }) =>
            StatusText.format(project.workspace.root, status, details, project.displayPath),
          ),
        )
        return texts.join("\n\n")
      }).pipe(Tool.orFail),
  })

const searchConversations = Effect.gen(function* () {
  const { open } = yield* Conversations
  const opened = yield* openOnce(open)
  return Tool.make({
    name: "search_conversations",
    description: "Searches the user's earlier conversations with models, of all projects, for words.",
    parameters: Schema.Struct({
      words: Schema.String.annotations({ description: "All of them have to occur; word* for a beginning" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, 50))),
    }),
    readOnly: true,
    run: ({ limit = 10, words }) =>
      Effect.gen(function* () {
        if (Query.queryTerms(words).length === 0) return yield* Tool.fail("there is no word in it to look for")
        const forest = yield* opened
        const nodes = (yield* forest.search({ text: words, limit })).filter(isReadable)
        if (nodes.length === 0) return `no message has all of: ${sanitizeLine(words)}`
        const messages = yield* MessageParts.readAll(forest, nodes)
        const labels = yield* Effect.provideService(NodeFormat.loadLabels(messages.flat()), Forest.Forest, forest)
        return messages.map((parts) => NodeFormat.searchHit(parts, words, labels, plain)).join("\n")
      }).pipe(Tool.orFail),
  })
})
