/** The commands of `vibe loom` that only read the forest. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { forestOptions, model, modelId } from "../arguments/options.ts"
import { limit, listOptions, node, nodeHelp, nodeOrPosition, optionalNode, wholeNumber } from "./options.ts"

export const roots = lazy("roots", listOptions, () => import("./roots.ts")).pipe(
  Command.withDescription("List the trees with their owner and system prompt"),
)

const graph = Options.boolean("graph").pipe(
  Options.withDescription("Draw all branches of the tree instead, one line per message"),
)
/** Messages that are printed where no limit is given, and the format is not JSON. */
export const DEFAULT_MESSAGES = 200

const newest = wholeNumber("limit", { from: 1 }).pipe(
  Options.withDescription(`Print only the newest N messages (default: ${DEFAULT_MESSAGES}; with --json all)`),
)
const logConfig = { node: nodeOrPosition, graph, limit: newest, ...listOptions }
export type LogInput = InputOf<typeof logConfig>

export const log = lazy("log", logConfig, () => import("./log.ts")).pipe(
  Command.withDescription("Print the conversation that ends at a node, with its tokens and cost"),
)

const showConfig = { node, ...listOptions }
export type ShowInput = InputOf<typeof showConfig>

export const show = lazy("show", showConfig, () => import("./show.ts")).pipe(
  Command.withDescription("Print one message in full, with its model, time, tokens and children"),
)

const depth = wholeNumber("depth", { from: 0 }).pipe(
  Options.withDescription("Draw N levels below the node (default: all)"),
)
const treeConfig = { node: optionalNode, depth, limit: newest, ...listOptions }
export type TreeInput = InputOf<typeof treeConfig>

export const tree = lazy("tree", treeConfig, () => import("./tree.ts")).pipe(
  Command.withDescription("Draw a node and its descendants (default: the whole tree of @)"),
)

const historyConfig = { limit, ...listOptions }
export type HistoryInput = InputOf<typeof historyConfig>

export const history = lazy("history", historyConfig, () => import("./history.ts")).pipe(
  Command.withDescription("List the operations on the forest, newest first"),
)

export const bookmarks = lazy("bookmarks", listOptions, () => import("./bookmarks.ts")).pipe(
  Command.withDescription("List the bookmarks and their nodes"),
)

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** In milliseconds since the epoch. A date without a time of day is its beginning in the user's time zone; `offset` is added to it. */
const time = (name: string, offset: number) =>
  Options.text(name).pipe(
    Options.withPseudoName("TIME"),
    Options.filterMap(
      (text) =>
        Option.liftPredicate(
          DAY.test(text) ? Date.parse(`${text}T00:00`) + offset : Date.parse(text),
          (time) => !Number.isNaN(time),
        ),
      `option '--${name}' takes a date or a time, such as 2026-11-30 or 2026-11-30T12:00Z`,
    ),
    Options.optional,
  )

const LAST_MS_OF_DAY = 86_399_999

const searchConfig = {
  words: Args.text({ name: "TEXT" }).pipe(
    Args.withDescription("The words to search for; WORD* matches every word that begins so"),
    Args.atLeast(1),
  ),
  role: Options.choice("role", ["user", "assistant", "tool", "system"]).pipe(
    Options.optional,
    Options.withDescription("Find only messages of this role"),
  ),
  model: model.pipe(
    Options.mapEffect(modelId),
    Options.optional,
    Options.withDescription("Find only answers of this model"),
  ),
  root: Options.text("root").pipe(
    Options.withPseudoName("NODE"),
    Options.optional,
    Options.withDescription("Find only messages in the tree of this node"),
  ),
  since: time("since", 0).pipe(
    Options.withDescription("Find only messages from this time on (2026-11-30 or 2026-11-30T12:00Z)"),
  ),
  until: time("until", LAST_MS_OF_DAY).pipe(
    Options.withDescription("Find only messages up to this time (a date includes the day)"),
  ),
  limit,
  ...listOptions,
}
export type SearchInput = InputOf<typeof searchConfig>

export const search = lazy("search", searchConfig, () => import("./search.ts")).pipe(
  Command.withDescription("Find the messages that contain all of the words, newest first"),
)

const diffConfig = {
  one: Args.text({ name: "A" }).pipe(Args.withDescription("The last node of the first conversation")),
  other: Args.text({ name: "B" }).pipe(Args.withDescription("The last node of the second conversation")),
  ...listOptions,
}
export type DiffInput = InputOf<typeof diffConfig>

export const diff = lazy("diff", diffConfig, () => import("./diff.ts")).pipe(
  Command.withDescription("Compare two conversations word by word from where they part"),
)

const format = Options.choice("format", ["markdown", "md", "json", "jsonl", "html"]).pipe(
  Options.map((name) => (name === "md" ? "markdown" : name)),
  Options.optional,
  Options.withDescription(
    "Print this format (default: markdown, with --all jsonl); 'loom import' reads json and jsonl",
  ),
)
const all = Options.boolean("all").pipe(
  Options.withDescription("Print all conversations instead, as JSON lines, for another machine or as a copy"),
)
const exportNode = node.pipe(Args.withDescription(`${nodeHelp} (default: @)`), Args.optional)
const exportConfig = { node: exportNode, all, format, ...forestOptions }
export type ExportInput = InputOf<typeof exportConfig>

export const exportCommand = lazy("export", exportConfig, () => import("./export.ts")).pipe(
  Command.withDescription("Print a conversation as a file; for a root, its whole tree"),
)

const mend = Options.boolean("mend").pipe(Options.withDescription("Rebuild the search index from the messages first"))
const verifyConfig = { mend, ...forestOptions }
export type VerifyInput = InputOf<typeof verifyConfig>

export const verify = lazy("verify", verifyConfig, () => import("./verify.ts")).pipe(
  Command.withDescription("Check the integrity of everything in the forest, and list the problems"),
)
