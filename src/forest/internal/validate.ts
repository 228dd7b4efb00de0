/**
 * Checks that a message or a tree can be stored and read again. Callers without types, custom models and tools, and
 * imported files may pass any value, but what is stored has to decode again.
 */
import * as Arrays from "effect/Array"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isJson, isObject, withoutProto } from "../../base/Json.ts"
import * as SchemaIssues from "../../base/SchemaIssues.ts"
import type * as Block from "../../message/Block.ts"
import { Message } from "../../message/Message.ts"
import { ForestError, Invalid } from "../ForestError.ts"
import * as Node from "../Node.ts"
import { Root } from "../Node.ts"

/**
 * Returns the draft as it can be stored: without arguments of tool calls that are named `__proto__`. A model may write
 * such an argument, and its run goes on without it. Throws `Invalid` for a message that could not be read again. It
 * takes 2 µs.
 */
export const validateDraft = (draft: Node.Draft): Node.Draft => {
  refuse("message", isDraft(draft) ? draft.message.content.flatMap(blockIssues) : issuesOf(Draft, draft))
  const { message } = draft
  return message.role === "assistant" && message.content.some(hasProtoArgument)
    ? { ...draft, message: { ...message, content: Arrays.map(message.content, withoutProtoArguments) } }
    : draft
}

const hasProtoArgument = (block: Block.Block): boolean =>
  block.type === "tool-use" && withoutProto(block.parameters) !== block.parameters

const withoutProtoArguments = <B extends Block.Block>(block: B): B => {
  if (block.type !== "tool-use") return block
  const parameters = withoutProto(block.parameters)
  return isObject(parameters) ? { ...block, parameters } : block
}

/** Checks the text of an edit in the same way. */
export const validateText = (text: string): void =>
  refuse("message", typeof text === "string" ? [] : issuesOf(Schema.String, text))

/** Checks the owner and the system prompt of a tree in the same way. */
export const validateRoot = (root: Pick<Root, "owner" | "systemPrompt" | "key">): void =>
  refuse("tree", issuesOf(StoredRoot, root))

const refuse = (what: Invalid["what"], issues: ReadonlyArray<string>): void => {
  if (issues.length > 0) throw new ForestError({ reason: new Invalid({ what, issues }) })
}

const issuesOf = <A, I>(schema: Schema.Schema<A, I>, value: unknown): ReadonlyArray<string> =>
  Either.match(Schema.validateEither(schema, { errors: "all" })(value), {
    onLeft: SchemaIssues.brief,
    onRight: () => [],
  })

/** Lists the problems of a block. It is checked by hand, since a schema would check a copy. */
const blockIssues = (block: Block.Block, at: number): ReadonlyArray<string> => [
  ...(isJson(block.meta) && withoutProto(block.meta) === block.meta
    ? []
    : [SchemaIssues.line(["message", "content", at, "meta"], "is not JSON")]),
  ...(block.type !== "tool-use" || isJson(block.parameters)
    ? []
    : [SchemaIssues.line(["message", "content", at, "parameters"], "is not JSON")]),
]

/** A text that a column can hold: SQLite ends it at a NUL, and replaces lone surrogates. */
const Column = Schema.String.pipe(
  Schema.filter((text) => (!text.includes("\0") && text.isWellFormed()) || "holds a NUL or half a character"),
)

const isColumn = Schema.is(Column)

const StoredSource = Node.ReadableSource.pipe(
  Schema.filter((source) =>
    source.type !== "model" && source.type !== "summary"
      ? []
      : [
          ...(source.model === undefined || isColumn(source.model)
            ? []
            : [{ path: ["model"], message: "holds a NUL or half a character" }]),
          ...Object.entries(source.usage).flatMap(([name, count]) =>
            Number.isFinite(count) ? [] : [{ path: ["usage", name], message: `is no number: ${count}` }],
          ),
        ],
  ),
)

const Draft = Schema.Struct({
  message: Message,
  source: StoredSource,
  /** Milliseconds since the epoch, in the range of dates (ECMA-262, 21.4.1.1). */
  createdAt: Schema.optional(Schema.Int.pipe(Schema.between(-8.64e15, 8.64e15))),
})

const isDraft = Schema.is(Draft)

const StoredRoot = Schema.Struct({
  owner: Column,
  systemPrompt: Root.fields.systemPrompt,
  key: Schema.optional(Column),
})
