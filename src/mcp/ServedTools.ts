/**
 * Tools as clients of the Model Context Protocol list and call them, without the SDK, which takes longer to load than a
 * first answer.
 */
import type { CallToolResult } from "@modelcontextprotocol/server"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type { JsonObject } from "../base/Json.ts"
import type * as Block from "../message/Block.ts"
import { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { ToolContext } from "../tool/Tool.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { ToolResult } from "../tool/ToolResult.ts"

export interface Options {
  readonly name: string
  readonly version: string
  /** Explains how to use the tools, and when not to. Clients put it into the system prompt of their model. */
  readonly instructions: string
  /** The tools, which must be read-only, since they are declared as such. */
  readonly tools: ToolRegistry.Service
}

export interface ServedTools {
  readonly info: { readonly name: string; readonly version: string }
  readonly instructions: string
  readonly definitions: ReadonlyArray<Definition>
  /** Starts a call. The name must be that of a definition. */
  readonly call: (id: number | string, name: string, parameters: JsonObject) => Call
}

export type Definition = ReturnType<typeof definitionsOf>[number]

export interface Call {
  /** Rejects if the call was interrupted. */
  readonly result: Promise<CallToolResult>
  readonly interrupt: () => void
}

/** The most calls that run at a time, over all connections. Others wait, so that many at once take no more memory. */
const CONCURRENCY = 16

export const make = ({ instructions, name, tools, version }: Options): Effect.Effect<ServedTools> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const limited = makeLimit(CONCURRENCY)
    return {
      info: { name, version },
      instructions,
      definitions: definitionsOf(tools),
      call: (id, name, parameters) => {
        const use: Block.ToolUse = { type: "tool-use", id: `call-${id}`, name, parameters }
        const run = Effect.map(tools.execute(use, { ...context, callId: use.id }), (result) => toWire(name, result))
        let fiber: Fiber.RuntimeFiber<CallToolResult> | undefined
        let isInterrupted = false
        const result = limited(
          () =>
            new Promise<CallToolResult>((resolve, reject) => {
              if (isInterrupted) return reject(new Error("The call was cancelled."))
              fiber = Runtime.runFork(runtime)(run)
              fiber.addObserver((exit) =>
                Exit.isSuccess(exit) ? resolve(exit.value) : reject(Cause.squash(exit.cause)),
              )
            }),
        )
        return {
          result,
          interrupt: () => {
            isInterrupted = true
            fiber?.unsafeInterruptAsFork(FiberId.none)
          },
        }
      },
    }
  })

/**
 * Limits the calls that run at a time. A semaphore of Effect is not used, since an interrupt can lose one of its
 * permits (see `base/mutex`).
 */
const makeLimit = (most: number) => {
  let free = most
  const waiting: Array<() => void> = []
  return async <A>(run: () => Promise<A>): Promise<A> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Returns the tools as clients list them. */
export const definitionsOf = ({ tools }: ToolRegistry.Service) =>
  tools.map(({ description, name, parameters }) => ({
    name,
    description,
    inputSchema: { ...parameters, type: "object" as const },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }))

/** The context of every call: no node of a conversation holds the call, and the model that makes it is not known. */
const context: Omit<ToolContext, "callId"> = {
  // The function that makes ids would load effect/Schema, which a first answer does not need otherwise.
  node: "mcp" as NodeId,
  model: new ModelId({ provider: "mcp", name: "client" }),
}

/**
 * Converts a result. An error loses the beginning that names it as an error of the tool, since the client has both
 * already.
 */
const toWire = (tool: string, { isError = false, text }: ToolResult): CallToolResult => {
  const beginning = [`Error: tool '${tool}' failed: `, "Error: "].find((each) => isError && text.startsWith(each)) ?? ""
  return { content: [{ type: "text", text: text.slice(beginning.length) }], isError }
}
