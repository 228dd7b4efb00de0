/** The slash commands of every session. */
import * as Effect from "effect/Effect"
import * as Files from "../../code/Files.ts"
import type { Workspace } from "../../code/Workspace.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type { SessionMode } from "../SessionMode.ts"
import { compact } from "./Compact.ts"
import { cost } from "./Cost.ts"
import { clear, help, newConversation, quit, resume, save, search, title } from "./conversationCommands.ts"
import { exportFrom } from "./Export.ts"
import { type KnownModel, model } from "./Model.ts"
import { copy, edit, fork, retry, undo } from "./messageCommands.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { type Offered, tools } from "./Tools.ts"
import { tree } from "./Tree.ts"

export interface Options {
  /** The command that continues a conversation, such as `vibe chat`. */
  readonly program: string
  readonly mode: SessionMode
  readonly workspace: Workspace
  /** The tools of `/tools on`. Undefined if the mode has tools of its own. */
  readonly offered: Offered | undefined
  /** The models that `/model` offers, usable ones first. */
  readonly models: Effect.Effect<ReadonlyArray<KnownModel>>
  /** The keys of the view, as text for the end of `/help`. */
  readonly inputHelp: string
}

/** Lists the commands in the order of `/help`. */
export const all = Effect.fnUntraced(function* ({ inputHelp, mode, models, offered, program, workspace }: Options) {
  const registry = yield* ModelRegistry.ModelRegistry
  const files = yield* Files.Files
  const commands = [
    ...mode.commands,
    tree,
    fork,
    edit,
    retry,
    undo,
    newConversation,
    clear,
    compact,
    resume(files, { program, folder: workspace.root }),
    title,
    search,
    save(program),
    exportFrom(workspace.root, files),
    copy,
    cost,
    model(registry, models),
    ...(offered === undefined ? [] : [tools(offered)]),
    quit,
  ]
  return [...commands, help(commands, inputHelp)] satisfies ReadonlyArray<SlashCommand>
})
