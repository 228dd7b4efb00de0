/** What can be typed after a slash in every conversation. */
import * as Effect from "effect/Effect"
import * as Output from "../../code/Output.ts"
import type { Workspace } from "../../code/Workspace.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type * as Render from "../Render.ts"
import type { Command } from "./Command.ts"
import { edit } from "./command/Edit.ts"
import { exporting } from "./command/Export.ts"
import { fork } from "./command/Fork.ts"
import { help, quit } from "./command/Help.ts"
import { model } from "./command/Model.ts"
import { fresh } from "./command/New.ts"
import { retry } from "./command/Retry.ts"
import { save } from "./command/Save.ts"
import { search } from "./command/Search.ts"
import { tools } from "./command/Tools.ts"
import { tree } from "./command/Tree.ts"
import { undo } from "./command/Undo.ts"
import type { Kind } from "./Kind.ts"

export interface Options {
  /** `vibe chat`. */
  readonly program: string
  readonly kind: Kind
  readonly workspace: Workspace
  /** Tools that the model is given by `/tools on`; none where they are the kind's own. */
  readonly offered: Effect.Effect<ToolRegistry.Service, Render.Failure> | undefined
}

/** Of the terminal that is drawn on, and of plain lines. */
const keys = `Esc or Ctrl-C stops an answer, Ctrl-C twice leaves, @ names a file, """ begins and ends a message of several lines.
In a terminal: Alt-Enter begins a new line (so do Shift-Enter and Ctrl-J where they come through), Ctrl-O opens what tools said, Ctrl-G writes in your editor.`

/** In the order in which `/help` lists them. */
export const all = Effect.fnUntraced(function* ({ kind, offered, program, workspace }: Options) {
  const registry = yield* ModelRegistry.ModelRegistry
  const output = yield* Output.open(workspace.root, ".")
  const commands = [
    ...kind.commands,
    tree,
    fork,
    edit,
    retry,
    undo,
    fresh,
    search,
    save(program),
    exporting(output),
    model(registry),
    ...(offered === undefined ? [] : [tools(offered)]),
    quit,
  ]
  return [...commands, help(commands, keys)] satisfies ReadonlyArray<Command>
})
