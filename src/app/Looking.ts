/** The tools that look around in the indexed folder that is here, and change nothing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Project from "../cli/Project.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as Reading from "./Reading.ts"

export const layer = Layer.scoped(
  ToolRegistry.ToolRegistry,
  Effect.map(Project.open(Option.none()), ({ index, workspace }) => IndexTools.reading(workspace, index)),
).pipe(Layer.provide(Reading.layer))
