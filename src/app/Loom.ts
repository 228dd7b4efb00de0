/** The program with the commands of `vibe loom`, which are loaded only where the command line names `loom`. */
import * as Command from "@effect/cli/Command"
import * as Layer from "effect/Layer"
import * as Read from "../cli/loom/readCommands.ts"
import * as Write from "../cli/loom/writeCommands.ts"
import * as App from "./App.ts"
import type * as AskLayer from "./AskLayer.ts"
import type * as ForestLayer from "./ForestLayer.ts"
import { lazily } from "./Lazy.ts"

/** For commands that only read or change what is there. */
const found = (options: ForestLayer.Options) =>
  lazily(
    () => import("./ForestLayer.ts"),
    ({ layerFound }) => layerFound(options),
  )

/** Also opens a damaged forest. */
const unchecked = (options: ForestLayer.Options) =>
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

const confirm = lazily(
  () => import("../cli/terminal/Confirm/Node.ts"),
  ({ layer }) => layer,
)

const loom = Command.make("loom").pipe(
  Command.withSubcommands([
    Command.provide(Read.roots, found),
    Command.provide(Read.log, (options) => Layer.merge(found(options), prices)),
    Command.provide(Read.show, found),
    Command.provide(Read.tree, found),
    Command.provide(Write.append, App.forest),
    Command.provide(Write.generate, generateLayer),
    Command.provide(Write.edit, found),
    Command.provide(Write.split, found),
    Command.provide(Write.deleteCommand, found),
    Command.provide(Write.undo, found),
    Command.provide(Write.redo, found),
    Command.provide(Read.history, found),
    Command.provide(Write.bookmark, found),
    Command.provide(Read.bookmarks, found),
    Command.provide(Read.search, found),
    Command.provide(Read.diff, found),
    Command.provide(Read.exportCommand, found),
    Command.provide(Write.importCommand, (options) => Layer.merge(App.forest(options), App.files)),
    Command.provide(Read.verify, unchecked),
    Command.provide(Write.purge, (options) => Layer.merge(found(options), confirm)),
  ]),
)

export { specs } from "../cli/loom/command.ts"

export const vibe = App.checked(Command.make("vibe").pipe(Command.withSubcommands([...App.commands, loom])))
