/** Tool servers that start while the session goes on: the model does not have their tools yet. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ToolServers from "../tool/ToolServers.ts"

export interface StartingServers {
  /** Starts these servers in place of those that were starting. If undefined, it only stops waiting for those. */
  readonly start: (servers: ToolServers.Service | undefined) => Effect.Effect<void>
  /**
   * Waits for the servers, unless a wait was interrupted before. Returns true if there are servers and they have
   * started.
   */
  readonly wait: Effect.Effect<boolean>
  /**
   * Returns these tools with those of the servers that have started by now. The notes that it adds were not shown yet.
   */
  readonly addTo: (tools: ToolRegistry.Service) => Effect.Effect<ToolRegistry.Service>
  /** Called once the model has their tools. */
  readonly forget: Effect.Effect<void>
  /** The names of the servers that are still starting although messages no longer wait for them. */
  readonly skipped: Effect.Effect<ReadonlyArray<string>>
}

interface Starting {
  readonly opening: Fiber.RuntimeFiber<ToolServers.Opened>
  readonly servers: ToolServers.Service
  /** True once the user has stopped a message that waited for them: messages wait no longer. */
  isSkipped: boolean
}

/** `note` shows a line to the user. The servers end with the scope. */
export const make = (note: (text: string) => Effect.Effect<void>): Effect.Effect<StartingServers, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const starting = yield* Ref.make<Starting | undefined>(undefined)

    const start = Effect.fnUntraced(function* (servers: ToolServers.Service | undefined) {
      const earlier = yield* Ref.getAndSet(starting, undefined)
      if (earlier !== undefined) yield* Fiber.interruptFork(earlier.opening)
      if (servers === undefined) return
      const opening = yield* ToolServers.openAnnounced(servers, note).pipe(
        Effect.tap(({ costs, notes }) => {
          const lines = [...costs, ...notes]
          return lines.length === 0 ? Effect.void : note(lines.join("\n"))
        }),
        Effect.forkIn(scope),
      )
      yield* Ref.set(starting, { opening, servers, isSkipped: false })
    })

    const wait = Effect.gen(function* () {
      const servers = yield* Ref.get(starting)
      if (servers === undefined) return false
      if (!servers.isSkipped) {
        yield* Effect.onInterrupt(Fiber.await(servers.opening), () =>
          Effect.sync(() => {
            servers.isSkipped = true
          }),
        )
      }
      return Option.isSome(yield* Fiber.poll(servers.opening))
    })

    const addTo = Effect.fnUntraced(function* (tools: ToolRegistry.Service) {
      const servers = yield* Ref.get(starting)
      const opened = servers === undefined ? Option.none() : yield* Fiber.poll(servers.opening)
      return Option.isSome(opened) && Exit.isSuccess(opened.value)
        ? ToolServers.join(tools, { ...opened.value.value, costs: [], notes: [] })
        : tools
    })

    const skipped = Effect.flatMap(Ref.get(starting), (servers) =>
      servers?.isSkipped === true ? servers.servers.starting : Effect.succeed([]),
    )

    return { start, wait, addTo, forget: Ref.set(starting, undefined), skipped }
  })
