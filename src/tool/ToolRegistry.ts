/** A set of tools, and the execution of calls: every call of a model goes through here. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Block from "../message/Block.ts"
import { endWith } from "../message/endWith.ts"
import * as Json from "../message/Json.ts"
import { sanitize } from "../message/Sanitize.ts"
import { withSpan } from "../message/Tracing.ts"
import type { Tool } from "./Tool.ts"
import type { ToolContext } from "./ToolContext.ts"
import { Crashed, Interrupted, InvalidArguments, TimedOut, ToolError, UnknownTool } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

/**
 * The further tools of a program: an index run offers them beside its own, and a run of `LoomEngine` and the engines over it
 * where no others are passed. Read when their layers are built: `Indexing.layer.pipe(Layer.provide(ToolRegistry.layer(tools)))`.
 * None by default.
 */
export class ToolRegistry extends Context.Reference<ToolRegistry>()("vibe/tool/ToolRegistry", {
  defaultValue: (): Service => none,
}) {}

export interface Service {
  /** In the order in which they are sent to a model. Names are unique. */
  readonly tools: ReadonlyArray<Tool>
  /** What the user should read about the tools before they are used, a line each. */
  readonly notes: ReadonlyArray<string>
  /**
   * Runs a call and always returns a result: an unknown name, invalid arguments, and a tool that fails, throws, dies or
   * hangs become an error result. Only an interruption from outside propagates.
   */
  readonly execute: (call: Block.ToolUse, context: ToolContext) => Effect.Effect<ToolResult.ToolResult>
}

/** A tool that takes longer is interrupted. */
export const TIMEOUT: Duration.Duration = Duration.seconds(120)

/**
 * The finalizers of a tool that was interrupted are awaited for that long. What is not done then is abandoned and goes on in the
 * background, since a user who interrupts a run waits for it.
 */
export const FINALIZERS_TIMEOUT: Duration.Duration = Duration.seconds(1)

/** Levels of nesting in arguments: half of what is read of an answer, so that arguments that were cut off are refused. */
const MAX_LEVELS = Json.mostLevels / 2

const tooDeep = new InvalidArguments({
  issues: [`they are nested more than ${MAX_LEVELS} levels deep: nothing was run`],
})

/** Throws where two tools have the same name, which is a mistake in the program. */
export const make = (tools: ReadonlyArray<Tool>, notes: ReadonlyArray<string> = []): Service => {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Tool "${tool.name}" is already registered.`)
    byName.set(tool.name, tool)
  }
  return {
    tools,
    notes,
    execute: (call, context) => {
      const tool = byName.get(call.name)
      const result =
        tool === undefined
          ? Effect.succeed(
              errorResult(new ToolError({ tool: call.name, reason: new UnknownTool({ known: [...byName.keys()] }) })),
            )
          : Json.isDeeperThan(call.parameters, MAX_LEVELS)
            ? Effect.succeed(errorResult(new ToolError({ tool: tool.name, reason: tooDeep })))
            : runIsolated(tool, call.parameters, context)
      return Effect.map(result, (result) => ({ ...result, text: ToolResult.presentable(result.text) })).pipe(
        withSpan("ToolRegistry.execute", { tool: call.name, call: call.id }),
      )
    },
  }
}

export const none: Service = make([])

/** The tools of both. Each runs its own. Throws where two tools have the same name. */
export const join = (one: Service, other: Service): Service => {
  const all = make([...one.tools, ...other.tools], [...one.notes, ...other.notes])
  const find = (name: string) => [one, other].find(({ tools }) => tools.some((tool) => tool.name === name)) ?? all
  return { ...all, execute: (call, context) => find(call.name).execute(call, context) }
}

/** Tools that need other services: `Layer.effect(ToolRegistry, Effect.map(Database, (database) => make([…])))`. */
export const layer = (tools: ReadonlyArray<Tool>): Layer.Layer<ToolRegistry> =>
  Layer.sync(ToolRegistry, () => make(tools))

/** Sanitised, since messages quote what the model has sent: with one NUL the whole would count as binary. */
const errorResult = (error: ToolError): ToolResult.ToolResult => ToolResult.error(sanitize(`Error: ${error.message}`))

/** Runs in a fiber of its own: a tool that interrupts itself ends alone, and one that cannot be interrupted is abandoned. */
const runIsolated = (tool: Tool, input: unknown, context: ToolContext): Effect.Effect<ToolResult.ToolResult> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDaemon(restore(Effect.suspend(() => tool.execute(input, context))))
      const exit = yield* Effect.ensuring(restore(awaitExit(fiber)), interrupt(fiber))
      if (Option.isNone(exit)) {
        return errorResult(
          new ToolError({ tool: tool.name, reason: new TimedOut({ seconds: Duration.toSeconds(TIMEOUT) }) }),
        )
      }
      if (Exit.isSuccess(exit.value)) return exit.value.value
      const failure = Cause.failureOrCause(exit.value.cause)
      if (failure._tag === "Left") return errorResult(failure.left)
      const reason = Cause.isInterruptedOnly(failure.right)
        ? new Interrupted()
        : new Crashed({ cause: Cause.squash(failure.right) })
      return errorResult(new ToolError({ tool: tool.name, reason }))
    }),
  )

/** None where it takes longer than `TIMEOUT`. */
const awaitExit = <A, E>(fiber: Fiber.RuntimeFiber<A, E>): Effect.Effect<Option.Option<Exit.Exit<A, E>>> =>
  Effect.yieldNow().pipe(
    // Most tools are done by now and need no timer.
    Effect.zipRight(Fiber.poll(fiber)),
    Effect.flatMap((exit) =>
      Option.isSome(exit)
        ? Effect.succeed(exit)
        : Effect.asSome(Fiber.await(fiber)).pipe(endWith(Effect.as(Effect.sleep(TIMEOUT), Option.none()))),
    ),
  )

/** Interrupts a fiber that has not ended, and awaits its finalizers for `FINALIZERS_TIMEOUT`. */
const interrupt = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.flatMap(Fiber.poll(fiber), (exit) =>
    Option.isSome(exit)
      ? Effect.void
      : Fiber.interruptFork(fiber).pipe(
          // Interruptible, so that the one that loses ends: a fiber that cannot be interrupted calls this.
          Effect.zipRight(
            Effect.interruptible(Fiber.await(fiber)).pipe(
              Effect.asVoid,
              endWith(Effect.interruptible(Effect.sleep(FINALIZERS_TIMEOUT))),
            ),
          ),
        ),
  )
