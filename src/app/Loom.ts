/** The program with the commands of `vibe loom`, which are loaded only where the command line names `loom`. */
import * as Command from "@effect/cli/Command"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Read from "../cli/loom/readCommands.ts"
import * as Write from "../cli/loom/writeCommands.ts"
import * as App from "./App.ts"
import type * as AskLayer from "./AskLayer.ts"
import type * as ForestLayer from "./ForestLayer.ts"
import { lazily } from "./Lazy.ts"
import { processEnvironment } from "./processEnvironment.ts"

/** The forest for commands that only read or change existing nodes: a missing file is an error. */
const foundLayer = (options: ForestLayer.Options) =>
  lazily(
    () => import("./ForestLayer.ts"),
    ({ layerFound }) => layerFound(options),
  )

/** Like `foundLayer`, but opens a damaged forest too. */
const uncheckedLayer = (options: ForestLayer.Options) =>
  lazily(
    () => import("./ForestLayer.ts"),
    ({ layerUnchecked }) => layerUnchecked(options),
  )

const generateLayer = (options: AskLayer.GenerateOptions) =>
  lazily(
    () => import("./AskLayer.ts"),
    ({ layerGenerate }) => layerGenerate(options),
  )

const prices = lazily(
  () => import("./Catalog.ts"),
  ({ layerPrices }) => layerPrices,
)

const pager = lazily(
  () => import("../cli/terminal/Pager/Node.ts"),
  ({ layer }) => layer(processEnvironment()),
)

/** For commands that print what may be long. */
const pagedLayer = (options: ForestLayer.Options) => Layer.provideMerge(pager, foundLayer(options))

const confirm = lazily(
  () => import("../cli/terminal/Confirm/Node.ts"),
  ({ layer }) => layer,
)

const loom = Command.make("loom").pipe(
  Command.withSubcommands([
    Command.provide(Read.roots, pagedLayer),
    Command.provide(Read.log, (options) => Layer.provideMerge(prices, pagedLayer(options))),
    Command.provide(Read.show, pagedLayer),
    Command.provide(Read.tree, pagedLayer),
    Command.provide(Write.switchCommand, foundLayer),
    // Only with a system prompt it makes a tree, and so a forest.
    Command.provide(Write.append, (options) =>
      Option.isSome(options.system) ? App.forest(options) : foundLayer(options),
    ),
    Command.provide(Write.generate, generateLayer),
    Command.provide(Write.edit, foundLayer),
    Command.provide(Write.split, foundLayer),
    Command.provide(Write.join, foundLayer),
    Command.provide(Write.move, foundLayer),
    Command.provide(Write.copy, (options) => Layer.provideMerge(App.files, foundLayer(options))),
    Command.provide(Write.deleteCommand, foundLayer),
    Command.provide(Write.undo, foundLayer),
    Command.provide(Write.redo, foundLayer),
    Command.provide(Read.history, pagedLayer),
    Command.provide(Write.bookmark, foundLayer),
    Command.provide(Read.bookmarks, pagedLayer),
    Command.provide(Read.search, pagedLayer),
    Command.provide(Read.diff, pagedLayer),
    Command.provide(Read.exportCommand, foundLayer),
    Command.provide(Write.importCommand, (options) => Layer.provideMerge(App.files, App.forest(options))),
    Command.provide(Read.verify, uncheckedLayer),
    Command.provide(Write.purge, (options) => Layer.provideMerge(confirm, foundLayer(options))),
  ]),
)

export { specs } from "../cli/loom/command.ts"

export const vibe = App.checkRequirements(Command.make("vibe").pipe(Command.withSubcommands([...App.commands, loom])))
