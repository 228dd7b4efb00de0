/** The tools that a conversation can be offered by name. */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import { UsageError } from "../../message/UsageError.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as CurrentDate from "../../toolbox/CurrentDate.ts"
import * as Introspect from "../../toolbox/Introspect.ts"

/** Each once, whatever `names` says. */
export const named = (
  forest: Forest.Service,
  names: ReadonlyArray<string>,
): Effect.Effect<ToolRegistry.Service, UsageError> => {
  const wanted = [...new Set(names)]
  const others = wanted.filter((name) => name !== "introspect")
  const known: ReadonlyMap<string, () => Tool> = new Map([
    ["current_date", () => CurrentDate.make],
    ["introspect", () => Introspect.make(forest, others)],
  ])
  return Effect.map(
    Effect.forEach(wanted, (name) => {
      const tool = known.get(name)
      const message = `there is no tool '${name}'; there are ${[...known.keys()].join(", ")}`
      return tool === undefined ? Effect.fail(new UsageError({ message, command: "loom generate" })) : Effect.sync(tool)
    }),
    ToolRegistry.make,
  )
}
