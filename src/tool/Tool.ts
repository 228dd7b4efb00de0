/** A tool: what a model may call, and what happens then. */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Parameters from "./Parameters.ts"
import type { ToolContext } from "./ToolContext.ts"
import { Failed, ToolError } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Parameters.JsonSchema
  /** It changes nothing, so that calls of one turn may run side by side. */
  readonly readOnly: boolean
  /** Decodes the arguments a model sent, by name, and runs. */
  readonly execute: (input: unknown, context: ToolContext) => Effect.Effect<ToolResult.ToolResult, ToolError>
}

export interface Options<A> {
  readonly name: string
  readonly description: string
  readonly readOnly?: boolean | undefined
  /** Fails with the reason in words for the model (`Tool.fail`). A bare string is a result that is text alone. */
  readonly run: (args: A, context: ToolContext) => Effect.Effect<ToolResult.ToolResult | string, Failed>
}

/** A tool whose arguments are an Effect Schema. Throws where that is no schema of an object, or not of JSON. */
export const make = <A, I>(options: Options<A> & { readonly parameters: Schema.Schema<A, I> }): Tool =>
  of(options, () => Parameters.fromSchema(options.parameters))

/** A tool whose arguments are a Standard Schema that tells its JSON Schema, such as zod 4's. Throws as `make` does. */
export const fromStandard = <A>(options: Options<A> & { readonly parameters: Parameters.Standard<A> }): Tool =>
  of(options, () => Parameters.fromStandard(options.parameters))

/** A tool whose arguments are raw JSON Schema, as an MCP server sends it. */
export const fromJsonSchema = (options: Options<unknown> & { readonly parameters: Parameters.JsonSchema }): Tool =>
  of(options, () => Parameters.fromJsonSchema(options.parameters))

/** Ends a tool's run with a reason in words for the model. */
export const fail = (message: string): Effect.Effect<never, Failed> => Effect.fail(new Failed({ message }))

/** An error's own message becomes the word to the model. */
export const orFail = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>): Effect.Effect<A, Failed, R> =>
  Effect.mapError(effect, ({ message }) => new Failed({ message }))

const of = <A>(
  { description, name, readOnly = false, run }: Options<A>,
  parameters: () => Parameters.Parameters<A>,
): Tool => {
  const { decode, jsonSchema } = named(name, parameters)
  return {
    name,
    description,
    parameters: jsonSchema,
    readOnly,
    execute: (input, context) =>
      decode(input).pipe(
        Effect.flatMap((args) => run(args, context)),
        Effect.mapBoth({
          onFailure: (reason) => new ToolError({ tool: name, reason }),
          onSuccess: (result) => (typeof result === "string" ? ToolResult.text(result) : result),
        }),
      ),
  }
}

/** The program is wrong, not its input: its author has to hear which tool it is. */
const named = <A>(tool: string, parameters: () => A): A => {
  try {
    return parameters()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The parameters of tool "${tool}" cannot be used: ${message}`, { cause })
  }
}
