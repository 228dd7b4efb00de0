/** The commands of `vibe loom` that change the forest. */
import * as Either from "effect/Either"
import type { ToolChoice } from "../../model/Request.ts"
import * as Command from "../arguments/Command.ts"
import { answerOptions, requestPolicy } from "../arguments/modelOptions.ts"
import { forestOptions } from "../arguments/options.ts"
import {
  choice,
  describe,
  flag,
  number,
  operand,
  optional,
  parse,
  repeated,
  text,
  whole,
  withDefault,
} from "../arguments/Parameter.ts"
import { node, optionalNode, optionalWords, system, withBookmarks, words } from "./options.ts"

export const append = Command.declare(
  "loom append",
  "Append a message to a node, and print its id",
  {
    node: optionalNode,
    words: optionalWords,
    role: withDefault(choice("role", ["user", "assistant"], "Set the role of the message (default: user)"), "user"),
    system,
    ...forestOptions,
  },
  [
    'vibe loom append --system "You are a poet" "Write a poem"',
    "vibe loom append @ --role assistant The first line is",
    "vibe loom append draft < question.md",
  ],
)
export type AppendInput = Command.InputOf<typeof append>

const toolChoice = parse(
  text("tool-choice", "CHOICE", "Require this tool first; 'none' forbids calls, 'auto' leaves the choice to the model"),
  (word) => Either.right<ToolChoice>(word === "auto" || word === "none" ? word : { tool: word }),
)

export const generate = Command.declare(
  "loom generate",
  "Append the answer of a model to a node, or to your TEXT below it",
  {
    node: optionalNode,
    words: optionalWords,
    n: number("n", whole(1, 20), "Request N answers per model, each on its own branch (default: 1)"),
    tools: repeated(
      text("tool", "NAME", "Offer the model this tool: current_date, introspect, or one of a tool server"),
    ),
    toolChoice: optional(toolChoice),
    toolRounds: number("tool-rounds", whole(1), "Let the model call tools in at most N requests (default: 5)"),
    system,
    ...answerOptions,
    ...requestPolicy,
    ...forestOptions,
  },
  [
    'vibe loom generate --system "You are a poet" "Write a poem"',
    "vibe loom generate @ And now a shorter one",
    "vibe loom generate draft -n 3",
  ],
)
export type GenerateInput = Command.InputOf<typeof generate>

export const edit = Command.declare(
  "loom edit",
  "Replace the text of a message, on a new branch if it has replies",
  { node, words, ...forestOptions },
  ['vibe loom edit @^ "Write a longer poem"'],
)
export type EditInput = Command.InputOf<typeof edit>

const position = parse(
  operand("POSITION", "The length of the first part, in UTF-16 code units"),
  (word): Either.Either<number, string> =>
    Number.isSafeInteger(Number(word)) && word.trim() !== ""
      ? Either.right(Number(word))
      : Either.left(`POSITION is a whole number, not '${word}'`),
)

export const split = Command.declare(
  "loom split",
  "Split a message in two; the second part keeps the id and the replies",
  { node, position, ...forestOptions },
  ["vibe loom split @ 120"],
)
export type SplitInput = Command.InputOf<typeof split>

export const join = Command.declare(
  "loom join",
  "Join a message with the only one below it, of the same speaker, as before a split",
  { node, ...forestOptions },
  ["vibe loom join @^"],
)
export type JoinInput = Command.InputOf<typeof join>

export const move = Command.declare(
  "loom move",
  "Move a message and everything below it below another message",
  {
    node,
    to: text("to", "NODE", "The message of the same tree, or its root, to move it below"),
    ...forestOptions,
  },
  ["vibe loom move draft --to @~3"],
)
export type MoveInput = Command.InputOf<typeof move>

export const copy = Command.declare(
  "loom copy",
  "Copy messages to another place, such as under another system prompt",
  {
    node,
    system: describe(
      system,
      "Copy the conversation up to NODE to the tree with this system prompt; create it if missing",
    ),
    systemFile: optional(text("system-file", "FILE", "Read the system prompt from a file")),
    to: optional(text("to", "NODE", "Copy NODE and everything below it below this message or root, of any tree")),
    ...forestOptions,
  },
  ['vibe loom copy @ --system "You are a critic"', "vibe loom copy draft --to 01jx4c"],
)
export type CopyInput = Command.InputOf<typeof copy>

export const switchCommand = Command.declare(
  "loom switch",
  "Go to a message: @ is your place in this folder",
  {
    node: optionalNode,
    newest: flag("newest", "Let @ be the newest message of all, until a command of yours adds one"),
    ...forestOptions,
  },
  ["vibe loom switch draft", "vibe loom switch --newest"],
)
export type SwitchInput = Command.InputOf<typeof switchCommand>

export const deleteCommand = Command.declare(
  "loom delete",
  "Delete a message; 'vibe loom undo' restores it",
  {
    node,
    cascade: flag("cascade", "Also delete everything below it"),
    reparent: flag("reparent", "Move its replies to its parent; results of its tool calls are deleted"),
    bookmarks: withBookmarks,
    ...forestOptions,
  },
  ["vibe loom delete @ --cascade", "vibe loom delete draft --reparent --bookmarks"],
)
export type DeleteInput = Command.InputOf<typeof deleteCommand>

export const undo = Command.declare(
  "loom undo",
  "Revert the latest operation of 'vibe loom', or the given one, as a whole",
  {
    operation: optional(operand("OPERATION", "A number from 'loom history', or a node: the latest one in its tree")),
    ...forestOptions,
  },
  ["vibe loom undo", "vibe loom undo 12", "vibe loom undo draft"],
)
export type UndoInput = Command.InputOf<typeof undo>

export const redo = Command.declare("loom redo", "Restore what 'vibe loom undo' reverted last", forestOptions, [
  "vibe loom redo",
])

export const bookmark = Command.declare(
  "loom bookmark",
  "Bookmark a node under a name, or remove a bookmark",
  {
    title: optional(operand("TITLE", "The name; an existing bookmark of that name moves to the node")),
    node: optionalNode,
    remove: optional(text("delete", "TITLE", "Remove the bookmark with this title")),
    ...forestOptions,
  },
  ["vibe loom bookmark draft @", "vibe loom bookmark --delete draft"],
)
export type BookmarkInput = Command.InputOf<typeof bookmark>

export const importCommand = Command.declare(
  "loom import",
  "Add conversations of a file to the forest, without duplicates",
  { file: operand("FILE", "A file of vibe, Claude Code, Codex, gemini-cli, pi or ChatGPT"), ...forestOptions },
  ["vibe loom import talk.jsonl", "vibe loom import conversations.json"],
)
export type ImportInput = Command.InputOf<typeof importCommand>

export const purge = Command.declare(
  "loom purge",
  "Remove a message with everything below it, or a tree, for good",
  {
    node: optionalNode,
    removed: flag("removed", "Remove everything that was deleted or replaced by an edit, instead of NODE"),
    bookmarks: withBookmarks,
    yes: flag("yes", "Do not ask for confirmation"),
    ...forestOptions,
  },
  ["vibe loom purge 01jx4c", "vibe loom purge --removed --yes"],
)
export type PurgeInput = Command.InputOf<typeof purge>
