/**
 * Tools whose schema is loaded late, for a process that answers its first call as soon as it can: effect/Schema takes
 * a tenth of that time to load, to make a schema, and to decode by it.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { JsonObject } from "../base/Json.ts"
import type { Tool } from "./Tool.ts"
import { type Failed, ToolError } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

export interface Definition {
  readonly name: string
  readonly description: string
  /** The JSON Schema of the arguments, which is that of the schema that `loadSchema` returns. */
  readonly parameters: JsonObject
}

export interface Options<A, I> {
  readonly definition: Definition
  /** Returns the arguments if they are plainly valid, as most are; undefined for all others. */
  readonly read: (input: unknown) => A | undefined
  /** Loads the schema, which converts other arguments, and says what is wrong with them. */
  readonly loadSchema: () => Promise<Schema.Schema<A, I>>
  readonly run: (args: A) => Effect.Effect<string, Failed>
}

/** Makes a tool that changes nothing. It does the same as one that `Tool.make` makes with the schema. */
export const make = <A, I>({ definition, loadSchema, read, run }: Options<A, I>): Tool => {
  const load = Effect.promise(async () => {
    const [Tool, parameters] = await Promise.all([import("./Tool.ts"), loadSchema()])
    return Tool.make({ ...definition, parameters, readOnly: true, run })
  })
  return {
    ...definition,
    readOnly: true,
    execute: (input, context) => {
      const args = read(input)
      return args === undefined
        ? Effect.flatMap(load, (tool) => tool.execute(input, context))
        : Effect.mapBoth(run(args), {
            onFailure: (reason) => new ToolError({ tool: definition.name, reason }),
            onSuccess: ToolResult.text,
          })
    },
  }
}
