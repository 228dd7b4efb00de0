/** The commands of `vibe loom` that change the forest. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import type { ToolChoice } from "../../tool/ToolChoice.ts"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { answerOptions, forestOptions, requestPolicy } from "../arguments/options.ts"
import { node, optionalNode, optionalWords, system, wholeNumber, withBookmarks, words } from "./options.ts"

const role = Options.choice("role", ["user", "assistant"]).pipe(
  Options.withDefault("user"),
  Options.withDescription("Set the role of the message (default: user)"),
)
const appendConfig = { node: optionalNode, words: optionalWords, role, system, ...forestOptions }
export type AppendInput = InputOf<typeof appendConfig>

export const append = lazy("append", appendConfig, () => import("./append.ts")).pipe(
  Command.withDescription("Append a message to a node, and print its id"),
)

const generateConfig = {
  node: optionalNode,
  words: optionalWords,
  n: wholeNumber("n", { from: 1, to: 20 }).pipe(
    Options.withDescription("Request N answers per model, each on its own branch (default: 1)"),
  ),
  tools: Options.text("tool").pipe(
    Options.withPseudoName("NAME"),
    Options.repeated,
    Options.withDescription("Offer the model this tool: current_date, introspect, or one of a tool server"),
  ),
  toolChoice: Options.text("tool-choice").pipe(
    Options.withPseudoName("CHOICE"),
    Options.map((text): ToolChoice => (text === "auto" || text === "none" ? text : { tool: text })),
    Options.optional,
    Options.withDescription("Require this tool first; 'none' forbids calls, 'auto' leaves the choice to the model"),
  ),
  toolRounds: wholeNumber("tool-rounds", { from: 1 }).pipe(
    Options.withDescription("Let the model call tools in at most N requests (default: 5)"),
  ),
  system,
  ...answerOptions,
  ...requestPolicy,
  ...forestOptions,
}
export type GenerateInput = InputOf<typeof generateConfig>

export const generate = lazy("generate", generateConfig, () => import("./generate.ts")).pipe(
  Command.withDescription("Append the answer of a model to a node, or to your TEXT below it"),
)

const editConfig = { node, words, ...forestOptions }
export type EditInput = InputOf<typeof editConfig>

export const edit = lazy("edit", editConfig, () => import("./edit.ts")).pipe(
  Command.withDescription("Replace the text of a message, on a new branch if it has replies"),
)

const position = Args.text({ name: "POSITION" }).pipe(
  Args.mapEffect((text) =>
    Number.isSafeInteger(Number(text)) && text.trim() !== ""
      ? Effect.succeed(Number(text))
      : Effect.fail(HelpDoc.p(`POSITION is a whole number, not '${text}'`)),
  ),
  Args.withDescription("The length of the first part, in UTF-16 code units"),
)
const splitConfig = { node, position, ...forestOptions }
export type SplitInput = InputOf<typeof splitConfig>

export const split = lazy("split", splitConfig, () => import("./split.ts")).pipe(
  Command.withDescription("Split a message in two; the second part keeps the id and the replies"),
)

const joinConfig = { node, ...forestOptions }
export type JoinInput = InputOf<typeof joinConfig>

export const join = lazy("join", joinConfig, () => import("./join.ts")).pipe(
  Command.withDescription("Join a message with the only one below it, of the same speaker, as before a split"),
)

const parentNode = Options.text("to").pipe(Options.withPseudoName("NODE"))
const moveConfig = {
  node,
  to: parentNode.pipe(Options.withDescription("The message of the same tree, or its root, to move it below")),
  ...forestOptions,
}
export type MoveInput = InputOf<typeof moveConfig>

export const move = lazy("move", moveConfig, () => import("./move.ts")).pipe(
  Command.withDescription("Move a message and everything below it below another message"),
)

const copyConfig = {
  node,
  system: system.pipe(
    Options.withDescription(
      "Copy the conversation up to NODE to the tree with this system prompt; create it if missing",
    ),
  ),
  systemFile: Options.text("system-file").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("Read the system prompt from a file"),
  ),
  to: parentNode.pipe(
    Options.optional,
    Options.withDescription("Copy NODE and everything below it below this message or root, of any tree"),
  ),
  ...forestOptions,
}
export type CopyInput = InputOf<typeof copyConfig>

export const copy = lazy("copy", copyConfig, () => import("./copy.ts")).pipe(
  Command.withDescription("Copy messages to another place, such as under another system prompt"),
)

const switchConfig = {
  node: optionalNode,
  newest: Options.boolean("newest").pipe(
    Options.withDescription("Let @ be the newest message of all, until a command of yours adds one"),
  ),
  ...forestOptions,
}
export type SwitchInput = InputOf<typeof switchConfig>

export const switchCommand = lazy("switch", switchConfig, () => import("./switch.ts")).pipe(
  Command.withDescription("Go to a message: @ is your place in this folder"),
)

const deleteConfig = {
  node,
  cascade: Options.boolean("cascade").pipe(Options.withDescription("Also delete everything below it")),
  reparent: Options.boolean("reparent").pipe(
    Options.withDescription("Move its replies to its parent; results of its tool calls are deleted"),
  ),
  bookmarks: withBookmarks,
  ...forestOptions,
}
export type DeleteInput = InputOf<typeof deleteConfig>

export const deleteCommand = lazy("delete", deleteConfig, () => import("./delete.ts")).pipe(
  Command.withDescription("Delete a message; 'vibe loom undo' restores it"),
)

const operation = Args.text({ name: "OPERATION" }).pipe(
  Args.withDescription("A number from 'loom history', or a node: the latest one in its tree"),
  Args.optional,
)
const undoConfig = { operation, ...forestOptions }
export type UndoInput = InputOf<typeof undoConfig>

export const undo = lazy("undo", undoConfig, () => import("./undo.ts")).pipe(
  Command.withDescription("Revert the latest operation of 'vibe loom', or the given one, as a whole"),
)

export const redo = lazy("redo", forestOptions, () => import("./redo.ts")).pipe(
  Command.withDescription("Restore what 'vibe loom undo' reverted last"),
)

const bookmarkConfig = {
  title: Args.text({ name: "TITLE" }).pipe(
    Args.withDescription("The name; an existing bookmark of that name moves to the node"),
    Args.optional,
  ),
  node: optionalNode,
  remove: Options.text("delete").pipe(
    Options.withPseudoName("TITLE"),
    Options.optional,
    Options.withDescription("Remove the bookmark with this title"),
  ),
  ...forestOptions,
}
export type BookmarkInput = InputOf<typeof bookmarkConfig>

export const bookmark = lazy("bookmark", bookmarkConfig, () => import("./bookmark.ts")).pipe(
  Command.withDescription("Bookmark a node under a name, or remove a bookmark"),
)

const file = Args.text({ name: "FILE" }).pipe(
  Args.withDescription("A file of vibe, Claude Code, Codex, gemini-cli, pi or ChatGPT"),
)
const importConfig = { file, ...forestOptions }
export type ImportInput = InputOf<typeof importConfig>

export const importCommand = lazy("import", importConfig, () => import("./import.ts")).pipe(
  Command.withDescription("Add conversations of a file to the forest, without duplicates"),
)

const purgeConfig = {
  node: optionalNode,
  removed: Options.boolean("removed").pipe(
    Options.withDescription("Remove everything that was deleted or replaced by an edit, instead of NODE"),
  ),
  bookmarks: withBookmarks,
  yes: Options.boolean("yes").pipe(Options.withDescription("Do not ask for confirmation")),
  ...forestOptions,
}
export type PurgeInput = InputOf<typeof purgeConfig>

export const purge = lazy("purge", purgeConfig, () => import("./purge.ts")).pipe(
  Command.withDescription("Remove a message with everything below it, or a tree, for good"),
)
