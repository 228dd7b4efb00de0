/** A tool that models can call. */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import { convertArguments } from "./internal/convertArguments.ts"
import * as Parameters from "./Parameters.ts"
import { type Failed, ToolError } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

export { fail, orFail } from "./ToolError.ts"

/**
 * A tool that models can call: its name, what it is for, the schema of its arguments, and what it does.
 *
 * When to use it: to let a model read or change something of yours. `make` takes an Effect Schema, `fromStandard` a
 * schema of zod and others, and `fromJsonSchema` what another program declares. Tools of MCP servers come from
 * `ToolServerLayers` of `vibe-index/mcp`; several tools together are a `ToolRegistry`.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Schema } from "effect"
 * import { ModelId, NodeId, Tool } from "vibe-index"
 *
 * const countWords = Tool.make({
 *   name: "count_words",
 *   description: "Counts the words of a text.",
 *   parameters: Schema.Struct({ text: Schema.String }),
 *   readOnly: true,
 *   // The model reads a failure, and may try again.
 *   run: ({ text }) =>
 *     text === "" ? Tool.fail("the text is empty") : Effect.succeed(`${text.split(" ").length} words`),
 * })
 *
 * // A model sends the arguments, and the loop the context. A test can do the same.
 * const context = {
 *   node: NodeId.NodeId.make("example"),
 *   callId: "call_0",
 *   model: new ModelId.ModelId({ provider: "example", name: "test" }),
 * }
 * const result = await Effect.runPromise(countWords.execute({ text: "to be or not to be" }, context))
 * await Effect.runPromise(Console.log(result.text))
 * // prints: 6 words
 * ```
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of the arguments, which are an object. */
  readonly parameters: Parameters.JsonSchema
  /** True if the tool changes nothing, so that calls of one reply may run concurrently. */
  readonly readOnly: boolean
  /** The name that a tool of another program has there, and the name of its server. */
  readonly origin?: Origin | undefined
  /**
   * Decodes the arguments that a model sent, and runs. A text that is a number, boolean, list or object is taken for it
   * if the schema takes no text, and null for an optional argument counts as left out.
   */
  readonly execute: (input: unknown, context: ToolContext) => Effect.Effect<ToolResult.ToolResult, ToolError>
}

export interface Origin {
  readonly server: string
  readonly tool: string
}

export interface Options<A> {
  readonly name: string
  readonly description: string
  readonly readOnly?: boolean | undefined
  /**
   * Runs the tool. It fails with a message for the model (`Tool.fail`). A string is a result of text alone. The tool is
   * interrupted with the run, and after two minutes. Its finalizers are awaited for one second
   * (`ToolRegistry.FINALIZERS_TIMEOUT`), and then go on in the background.
   */
  readonly run: (args: A, context: ToolContext) => Effect.Effect<ToolResult.ToolResult | string, Failed>
}

/**
 * Makes a tool with an Effect Schema of its parameters. Throws if the schema is not that of an object, or has no JSON
 * Schema.
 *
 * `run` has no requirements. A tool that uses a service is made by an effect that takes the service first:
 * `Effect.map(Database, (database) => Tool.make({ …, run: ({ id }) => database.find(id) }))`.
 */
export const make = <A, I>(options: Options<A> & { readonly parameters: Schema.Schema<A, I> }): Tool =>
  of(options, () => Parameters.fromSchema(options.parameters))

/**
 * Makes a tool with a Standard Schema of its parameters that has a JSON Schema, such as that of zod 4. Throws as `make`
 * does.
 */
export const fromStandard = <A>(options: Options<A> & { readonly parameters: Parameters.Standard<A> }): Tool =>
  of(options, () => Parameters.fromStandard(options.parameters))

/** Makes a tool with a raw JSON Schema of its parameters, as an MCP server sends it. */
export const fromJsonSchema = (options: Options<unknown> & { readonly parameters: Parameters.JsonSchema }): Tool =>
  of(options, () => Parameters.fromJsonSchema(options.parameters))

/**
 * Makes the same tool, which runs `before` each call. If `before` returns a line, it is put before the result, and
 * before the message of a tool that fails. If `before` fails, the call fails with its message.
 */
export const withNotice = (before: Effect.Effect<string | undefined, Failed>, tool: Tool): Tool => ({
  ...tool,
  execute: (input, context) =>
    before.pipe(
      Effect.mapError((reason) => new ToolError({ tool: tool.name, reason })),
      Effect.map((notice) => (notice === undefined ? undefined : `(${notice})`)),
      Effect.flatMap((notice) =>
        Effect.mapBoth(tool.execute(input, context), {
          onFailure: (error) => error.withNotice(notice),
          onSuccess: (result) => (notice === undefined ? result : { ...result, text: `${notice}\n${result.text}` }),
        }),
      ),
    ),
})

const of = <A>(
  { description, name, readOnly = false, run }: Options<A>,
  parameters: () => Parameters.Parameters<A>,
): Tool => {
  const { decode, jsonSchema } = parametersOf(name, parameters)
  return {
    name,
    description,
    parameters: jsonSchema,
    readOnly,
    execute: (input, context) =>
      decode(input).pipe(
        // Models write "3" for 3, and null for arguments that they leave out.
        Effect.catchAll(() => decode(convertArguments(jsonSchema, input))),
        Effect.flatMap((args) => run(args, context)),
        Effect.mapBoth({
          onFailure: (reason) => new ToolError({ tool: name, reason }),
          onSuccess: (result) => (typeof result === "string" ? ToolResult.text(result) : result),
        }),
      ),
  }
}

/** Adds the tool's name to an error: unusable parameters are a mistake in the program. */
const parametersOf = <A>(tool: string, parameters: () => A): A => {
  try {
    return parameters()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The parameters of tool "${tool}" cannot be used: ${message}`, { cause })
  }
}

export interface ToolContext {
  /** The node of the assistant's message that holds the call. */
  readonly node: NodeId
  readonly callId: string
  readonly model: ModelId
}
