/** The commands of `vibe loom` that only read the forest. */
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Command from "../arguments/Command.ts"
import { model } from "../arguments/modelOptions.ts"
import { forestOptions } from "../arguments/options.ts"
import {
  atLeastOne,
  choice,
  describe,
  flag,
  number,
  operand,
  optional,
  type Parameter,
  parse,
  text,
  whole,
} from "../arguments/Parameter.ts"
import { limit, listOptions, node, nodeHelp, nodeOrPosition, optionalNode } from "./options.ts"

export const roots = Command.declare("loom roots", "List the trees with their owner and system prompt", listOptions, [
  "vibe loom roots",
  "vibe loom roots --json",
])

/** The most messages that are printed if no limit is given, and the format is not JSON. */
export const DEFAULT_MESSAGES = 200

const newest = number(
  "limit",
  whole(1),
  `Print only the newest N messages (default: ${DEFAULT_MESSAGES}; with --json all)`,
)

export const log = Command.declare(
  "loom log",
  "Print the conversation that ends at a node, with its tokens and cost",
  {
    node: nodeOrPosition,
    graph: flag("graph", "Draw all branches of the tree instead, one line per message"),
    limit: newest,
    ...listOptions,
  },
  ["vibe loom log", "vibe loom log @~2 --limit 4", "vibe loom log draft --graph"],
)
export type LogInput = Command.InputOf<typeof log>

export const show = Command.declare(
  "loom show",
  "Print one message in full, with its model, time, tokens and children",
  { node, ...listOptions },
  ["vibe loom show @", "vibe loom show @^ --json"],
)
export type ShowInput = Command.InputOf<typeof show>

export const tree = Command.declare(
  "loom tree",
  "Draw a node and its descendants (default: the whole tree of @)",
  {
    node: optionalNode,
    depth: number("depth", whole(0), "Draw N levels below the node (default: all)"),
    limit: newest,
    ...listOptions,
  },
  ["vibe loom tree", "vibe loom tree draft --depth 3"],
)
export type TreeInput = Command.InputOf<typeof tree>

export const history = Command.declare(
  "loom history",
  "List the operations on the forest, newest first",
  { limit, ...listOptions },
  ["vibe loom history", "vibe loom history --limit 100 --json"],
)
export type HistoryInput = Command.InputOf<typeof history>

export const bookmarks = Command.declare("loom bookmarks", "List the bookmarks and their nodes", listOptions, [
  "vibe loom bookmarks",
])

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * A time in milliseconds since the epoch. A date without a time of day stands for its beginning in the user's time
 * zone; `offset` is added to it.
 */
const time = (name: string, offset: number, description: string): Parameter<Option.Option<number>> =>
  optional(
    parse(text(name, "TIME", description), (word) => {
      const time = DAY.test(word) ? Date.parse(`${word}T00:00`) + offset : Date.parse(word)
      return Number.isNaN(time)
        ? Either.left(`option '--${name}' takes a date or a time, such as 2026-11-30 or 2026-11-30T12:00Z`)
        : Either.right(time)
    }),
  )

const LAST_MS_OF_DAY = 86_399_999

export const search = Command.declare(
  "loom search",
  "Find the messages that contain all of the words, newest first",
  {
    words: atLeastOne(operand("TEXT", "The words to search for; WORD* matches every word that begins so")),
    role: optional(choice("role", ["user", "assistant", "tool", "system"], "Find only messages of this role")),
    model: optional(model("Find only answers of this model")),
    root: optional(text("root", "NODE", "Find only messages in the tree of this node")),
    since: time("since", 0, "Find only messages from this time on (2026-11-30 or 2026-11-30T12:00Z)"),
    until: time("until", LAST_MS_OF_DAY, "Find only messages up to this time (a date includes the day)"),
    limit,
    ...listOptions,
  },
  ["vibe loom search retries backoff", "vibe loom search 'retr*' --role assistant --limit 5"],
)
export type SearchInput = Command.InputOf<typeof search>

export const diff = Command.declare(
  "loom diff",
  "Compare two conversations word by word from where they part",
  {
    one: operand("A", "The last node of the first conversation"),
    other: operand("B", "The last node of the second conversation"),
    ...listOptions,
  },
  ["vibe loom diff draft @"],
)
export type DiffInput = Command.InputOf<typeof diff>

const format = choice(
  "format",
  ["markdown", "md", "json", "jsonl", "html"],
  "Print this format (default: markdown, with --all jsonl); 'loom import' reads json and jsonl",
)

export const exportCommand = Command.declare(
  "loom export",
  "Print a conversation as a file; for a root, its whole tree",
  {
    node: describe(optionalNode, `${nodeHelp} (default: @)`),
    all: flag("all", "Print all conversations instead, as JSON lines, for another machine or as a copy"),
    format: optional(parse(format, (name) => Either.right(name === "md" ? "markdown" : name))),
    ...forestOptions,
  },
  [
    "vibe loom export draft > draft.md",
    "vibe loom export @ --format jsonl > talk.jsonl",
    "vibe loom export --all > all.jsonl",
  ],
)
export type ExportInput = Command.InputOf<typeof exportCommand>

export const verify = Command.declare(
  "loom verify",
  "Check the integrity of everything in the forest, and list the problems",
  { mend: flag("mend", "Rebuild the search index from the messages first"), ...forestOptions },
  ["vibe loom verify", "vibe loom verify --mend", "vibe loom verify --forest copy.db --json"],
)
export type VerifyInput = Command.InputOf<typeof verify>
