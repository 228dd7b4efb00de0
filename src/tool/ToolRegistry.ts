/** A set of tools, and the execution of calls: every call of a model goes through here. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { endWith, inParallel } from "../base/concurrency.ts"
import * as Json from "../base/Json.ts"
import { sanitize } from "../base/Sanitize.ts"
import { withSpan } from "../base/Tracing.ts"
import type * as Block from "../message/Block.ts"
import type { Tool, ToolContext } from "./Tool.ts"
import { Crashed, Interrupted, InvalidArguments, TimedOut, ToolError, UnknownTool } from "./ToolError.ts"
import * as ToolResult from "./ToolResult.ts"

/**
 * A set of tools, which runs the calls of a model. As a layer it holds the further tools of a program: an index run
 * offers them beside its own tools, and `LoomEngine` and the engines over it offer them if no others are passed. They
 * are read when the layers are built, so they are provided to these layers. By default there are none.
 *
 * When to use it: `layer` for tools that are offered everywhere; `make` for those of one run, which are passed as its
 * `tools`. Only a loop of your own calls `execute`, which turns everything that goes wrong into a result for the model.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Schema } from "effect"
 * import { ModelId, NodeId, Tool, ToolRegistry } from "vibe-index"
 *
 * const roll = Tool.make({
 *   name: "roll_die",
 *   description: "Rolls a die.",
 *   parameters: Schema.Struct({}),
 *   run: () => Effect.succeed("4"),
 * })
 *
 * const program = Effect.gen(function* () {
 *   const registry = yield* ToolRegistry.ToolRegistry
 *   const model = new ModelId.ModelId({ provider: "example", name: "test" })
 *   const call = (name: string) =>
 *     registry.execute(
 *       { type: "tool-use", id: "call_0", name, parameters: {} },
 *       { node: NodeId.NodeId.make("example"), callId: "call_0", model },
 *     )
 *   const results = yield* Effect.all([call("roll_die"), call("flip_coin")])
 *   yield* Console.log(results.map(({ isError = false }) => (isError ? "an error" : "a result")).join(", "))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, ToolRegistry.layer([roll])))
 * // prints: a result, an error
 * ```
 */
export class ToolRegistry extends Context.Reference<ToolRegistry>()("vibe/tool/ToolRegistry", {
  defaultValue: (): Service => none,
}) {}

export interface Service {
  /**
   * The tools, in the order in which they are sent to a model. Their names are unique. The property of a registry with
   * `refresh` is a getter: tool servers may change their tools during a conversation, and then it returns another list.
   * Read it once for each request, by `latestTools`.
   */
  readonly tools: ReadonlyArray<Tool>
  /** Lines about the tools that the user should read before the tools are used. */
  readonly notes: ReadonlyArray<string>
  /** Brings `tools` up to date. Undefined if they cannot change. */
  readonly refresh?: Effect.Effect<void> | undefined
  /**
   * Runs a call and always returns a result: an unknown name, invalid arguments, and a tool that fails, throws, dies or
   * hangs become an error result. Only an interruption from outside propagates.
   */
  readonly execute: (call: Block.ToolUse, context: ToolContext) => Effect.Effect<ToolResult.ToolResult>
}

/** The time after which a tool is interrupted. */
export const TIMEOUT: Duration.Duration = Duration.seconds(120)

/**
 * The time for which the finalizers of an interrupted tool are awaited. After that they go on in the background, since
 * a user who interrupts a run waits for it.
 */
export const FINALIZERS_TIMEOUT: Duration.Duration = Duration.seconds(1)

/**
 * The most levels of nesting in arguments. It is half of the levels that are read of an answer, so that arguments that
 * were cut off are refused.
 */
const MAX_LEVELS = Json.mostLevels / 2

const tooDeep = new InvalidArguments({
  issues: [`they are nested more than ${MAX_LEVELS} levels deep: nothing was run`],
})

/** Makes a registry. Throws if two tools have the same name, which is a mistake in the program. */
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

/**
 * Brings the tools of a registry up to date and returns them, for one request. It is the same list as before if nothing
 * has changed.
 */
export const latestTools = (registry: Service): Effect.Effect<ReadonlyArray<Tool>> =>
  Effect.zipRight(
    registry.refresh ?? Effect.void,
    Effect.sync(() => registry.tools),
  )

/**
 * Makes a registry whose tools may change. `tools` returns the same list as before if nothing has changed, and
 * `refresh` makes it return the latest one.
 */
export const changing = ({
  notes = [],
  refresh,
  tools,
}: {
  readonly tools: () => ReadonlyArray<Tool>
  readonly notes?: ReadonlyArray<string> | undefined
  readonly refresh: Effect.Effect<void>
}): Service => {
  let current = make(tools(), notes)
  const latest = () => {
    const now = tools()
    if (now !== current.tools) current = make(now, notes)
    return current
  }
  return {
    get tools() {
      return latest().tools
    },
    notes,
    refresh,
    execute: (call, context) => latest().execute(call, context),
  }
}

/**
 * Joins the tools of both registries, including those that they get later. Each runs its own. Throws if two tools have
 * the same name. If the same name comes later, only the tool of `one` is offered.
 */
export const join = (one: Service, other: Service): Service => {
  // This throws even if their tools may change.
  const first = make([...one.tools, ...other.tools], [...one.notes, ...other.notes])
  const refresh = joinRefreshes(one.refresh, other.refresh)
  const all =
    refresh === undefined
      ? first
      : changing({
          tools: derive(
            () => one.tools,
            () => other.tools,
            (own, others) => {
              const names = new Set(own.map(({ name }) => name))
              return [...own, ...others.filter(({ name }) => !names.has(name))]
            },
          ),
          notes: first.notes,
          refresh,
        })
  const find = (name: string) => [one, other].find(({ tools }) => tools.some((tool) => tool.name === name)) ?? all
  return {
    get tools() {
      return all.tools
    },
    notes: all.notes,
    refresh,
    execute: (call, context) => find(call.name).execute(call, context),
  }
}

/** Selects the tools of these names, in this order, as the registry has them at any time. */
export const select = (registry: Service, names: ReadonlyArray<string>): Service => {
  const choose = () => names.flatMap((name) => registry.tools.find((tool) => tool.name === name) ?? [])
  const { notes, refresh } = registry
  if (refresh === undefined) return make(choose(), notes)
  return changing({
    tools: derive(
      () => registry.tools,
      () => names,
      choose,
    ),
    notes,
    refresh,
  })
}

/** Derives a list from two others. It derives the list again only if one of them is another list than before. */
export const derive = <A, B, C>(
  one: () => ReadonlyArray<A>,
  other: () => ReadonlyArray<B>,
  merge: (one: ReadonlyArray<A>, other: ReadonlyArray<B>) => ReadonlyArray<C>,
): (() => ReadonlyArray<C>) => {
  let last:
    | { readonly from: readonly [ReadonlyArray<A>, ReadonlyArray<B>]; readonly merged: ReadonlyArray<C> }
    | undefined
  return () => {
    const from = [one(), other()] as const
    if (last === undefined || last.from[0] !== from[0] || last.from[1] !== from[1]) {
      last = { from, merged: merge(...from) }
    }
    return last.merged
  }
}

/** Runs all refreshes at the same time. Undefined if there are none. */
export const joinRefreshes = (
  ...refreshes: ReadonlyArray<Effect.Effect<void> | undefined>
): Effect.Effect<void> | undefined => {
  const all = refreshes.flatMap((refresh) => refresh ?? [])
  return all.length === 0 ? undefined : inParallel(all)
}

/**
 * Makes a layer of tools. If tools need other services, write `Layer.effect(ToolRegistry, Effect.map(Database,
 * (database) => make([…])))`.
 */
export const layer = (tools: ReadonlyArray<Tool>): Layer.Layer<ToolRegistry> =>
  Layer.sync(ToolRegistry, () => make(tools))

/**
 * Makes the result of an error. It is sanitised, since messages quote the model: with one NUL all of it would count as
 * binary.
 */
const errorResult = (error: ToolError): ToolResult.ToolResult => ToolResult.error(sanitize(`Error: ${error.message}`))

/**
 * Runs a tool in a fiber of its own: a tool that interrupts itself ends alone, and one that cannot be interrupted is
 * abandoned.
 */
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

/** Awaits the end of a tool. Returns none if it takes longer than `TIMEOUT`. */
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
          // The race is interruptible, so that its loser ends even if the calling fiber cannot be interrupted.
          Effect.zipRight(
            Effect.interruptible(Fiber.await(fiber)).pipe(
              Effect.asVoid,
              endWith(Effect.interruptible(Effect.sleep(FINALIZERS_TIMEOUT))),
            ),
          ),
        ),
  )
