/** The tools of one profile, and the one place where a call meets its tool. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Block from "../message/Block.ts"
import * as Json from "../message/Json.ts"
import { traced } from "../message/Traced.ts"
import type { Tool } from "./Tool.ts"
import type { ToolContext } from "./ToolContext.ts"
import { Crashed, Interrupted, InvalidArguments, TimedOut, ToolError, UnknownTool } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

export class ToolRegistry extends Context.Tag("vibe/tool/ToolRegistry")<ToolRegistry, Service>() {}

export interface Service {
  /** In the order in which a model is shown them. Names are unique. */
  readonly tools: ReadonlyArray<Tool>
  /**
   * Runs a call and always has a result: an unknown name, wrong arguments, a tool that fails, throws, dies or hangs
   * become a result that says so. Only an interruption from outside goes through.
   */
  readonly execute: (call: Block.ToolUse, context: ToolContext) => Effect.Effect<ToolResult.ToolResult>
}

/** How long a tool may take (FAULTS, settled). */
export const patience: Duration.Duration = Duration.seconds(120)

/** Levels of nesting in the arguments of a call: half of what is read of an answer, so that what was cut is refused. */
const mostLevels = Json.mostLevels / 2

const tooDeep = new InvalidArguments({
  issues: [`they are nested more than ${mostLevels} levels deep: nothing was run`],
})

/** Throws on two tools of one name: the program is wrong, not its input. */
export const make = (tools: ReadonlyArray<Tool>): Service => {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Tool "${tool.name}" is already registered.`)
    byName.set(tool.name, tool)
  }
  return {
    tools,
    execute: (call, context) => {
      const tool = byName.get(call.name)
      const result =
        tool === undefined
          ? Effect.succeed(
              told(new ToolError({ tool: call.name, reason: new UnknownTool({ known: [...byName.keys()] }) })),
            )
          : Json.isDeeperThan(call.parameters, mostLevels)
            ? Effect.succeed(told(new ToolError({ tool: tool.name, reason: tooDeep })))
            : contained(tool, call.parameters, context)
      return Effect.map(result, (result) => ({ ...result, text: ToolResult.presentable(result.text) })).pipe(
        traced("ToolRegistry.execute", { tool: call.name, call: call.id }),
      )
    },
  }
}

export const layer = (tools: ReadonlyArray<Tool>): Layer.Layer<ToolRegistry> =>
  Layer.sync(ToolRegistry, () => make(tools))

const told = (error: ToolError): ToolResult.ToolResult => ToolResult.error(`Error: ${error.message}`)

/** In a fiber of its own: a tool that interrupts itself ends alone, and one that will not be interrupted is left behind. */
const contained = (tool: Tool, input: unknown, context: ToolContext): Effect.Effect<ToolResult.ToolResult> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDaemon(Effect.suspend(() => tool.execute(input, context)))
    const exit = yield* Effect.yieldNow().pipe(
      // Most tools are done by now: no clock is set for them.
      Effect.zipRight(Fiber.poll(fiber)),
      Effect.flatMap((exit) =>
        Option.isSome(exit) ? Effect.succeed(exit) : Effect.timeoutOption(Fiber.await(fiber), patience),
      ),
      Effect.onInterrupt(() => Fiber.interruptFork(fiber)),
    )
    if (Option.isNone(exit)) {
      yield* Fiber.interruptFork(fiber)
      return told(new ToolError({ tool: tool.name, reason: new TimedOut({ seconds: Duration.toSeconds(patience) }) }))
    }
    if (Exit.isSuccess(exit.value)) return exit.value.value
    const failure = Cause.failureOrCause(exit.value.cause)
    if (failure._tag === "Left") return told(failure.left)
    const reason = Cause.isInterruptedOnly(failure.right)
      ? new Interrupted()
      : new Crashed({ cause: Cause.squash(failure.right) })
    return told(new ToolError({ tool: tool.name, reason }))
  })
