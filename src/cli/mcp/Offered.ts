/** The tools that `vibe mcp` offers: `query` and `show`, and the other tools of vibe that the settings name. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as LookupTools from "../../toolbox/LookupTools.ts"
import * as Screen from "../terminal/Screen.ts"
import type { CurrentProject } from "./CurrentProject.ts"

export const make = Effect.fnUntraced(function* (project: CurrentProject, root: Option.Option<string>) {
  const lookup = LookupTools.make(project.current)
  const names = yield* settings(root)
  if (names.length === 0) return ToolRegistry.make(lookup)
  const { make } = yield* Effect.promise(() => import("./otherTools.ts"))
  return ToolRegistry.make([...lookup, ...(yield* make(new Set(names), project))])
})

/**
 * Reads the settings. An invalid file takes away only the other tools: otherwise an agent would have no tools at all,
 * and could not say why.
 */
const settings = (root: Option.Option<string>) =>
  Effect.provide(AppConfig.mcpTools, Sources.layer(root._tag === "Some" ? root.value : ".")).pipe(
    Effect.catchAll((error) =>
      Effect.flatMap(Screen.Screen, ({ err }) =>
        Effect.as(Screen.line(err, sanitizeLine(`vibe: the settings are not used: ${error}`)), []),
      ),
    ),
  )
