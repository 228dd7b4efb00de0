/** The tools that `vibe mcp` offers: `query` and `show`, and the other tools of vibe that the settings name. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { mayBeSet } from "../../config/mayBeSet.ts"
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
  Effect.gen(function* () {
    const from = root._tag === "Some" ? root.value : "."
    if (!(yield* mayBeSet("VIBE_MCP_TOOLS", from))) return []
    const [AppConfig, Sources] = yield* Effect.promise(() =>
      Promise.all([import("../../config/AppConfig.ts"), import("../../config/Sources.ts")]),
    )
    return yield* Effect.provide(AppConfig.mcpTools, Sources.layer(from))
  }).pipe(
    Effect.catchAll((error) =>
      Effect.flatMap(Screen.Screen, ({ err }) =>
        Effect.as(Screen.line(err, sanitizeLine(`vibe: the settings are not used: ${error}`)), []),
      ),
    ),
  )

/**
 * The `instructions` that a client receives with the tools: when to use them. They cost tokens in each conversation.
 */
export const instructions = [
  "vibe has an index of this codebase: what each function and class is for, and which code uses which.",
  'Where you do not know the name or the file, use `query` before grep: "where is X decided", "what handles Y", a phrase with guessed identifiers as keywords. If the first results are not it, rephrase once, then grep.',
  "Before you change a function or follow a flow, use `show` on its name for source, callers and callees; read on with path:from-to.",
  "Use grep for exact text: error messages, settings, event names, strings, templates, docs, and for every occurrence.",
  "A purpose marked (stale) is older than the code: trust the lines.",
].join("\n")

/** The same for several repositories. */
export const instructionsFor = (names: ReadonlyArray<string>): string =>
  `${instructions}\nIt has ${names.length === 1 ? "the repository" : "several repositories"}: ${names.join(", ")}. Paths begin with the name of one, as in ${names[0] ?? "name"}/src/main.ts:12, also as \`path\` and \`target\`.`
