/** The program with the commands of `vibe loom`, which are loaded only where the command line names `loom`. */
import * as Command from "@effect/cli/Command"
import * as Layer from "effect/Layer"
import { append } from "../cli/command/loom/Append.ts"
import { bookmark } from "../cli/command/loom/Bookmark.ts"
import { bookmarks } from "../cli/command/loom/Bookmarks.ts"
import { remove } from "../cli/command/loom/Delete.ts"
import { diff } from "../cli/command/loom/Diff.ts"
import { edit } from "../cli/command/loom/Edit.ts"
import { exporting } from "../cli/command/loom/Export.ts"
import { generate } from "../cli/command/loom/Generate.ts"
import { history } from "../cli/command/loom/History.ts"
import * as Import from "../cli/command/loom/Import.ts"
import { log } from "../cli/command/loom/Log.ts"
import { purge } from "../cli/command/loom/Purge.ts"
import { redo } from "../cli/command/loom/Redo.ts"
import { roots } from "../cli/command/loom/Roots.ts"
import { search } from "../cli/command/loom/Search.ts"
import * as LoomShow from "../cli/command/loom/Show.ts"
import { split } from "../cli/command/loom/Split.ts"
import { tree } from "../cli/command/loom/Tree.ts"
import { undo } from "../cli/command/loom/Undo.ts"
import { verify } from "../cli/command/loom/Verify.ts"
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
    Command.provide(roots, found),
    Command.provide(log, (options) => Layer.merge(found(options), prices)),
    Command.provide(LoomShow.show, found),
    Command.provide(tree, found),
    Command.provide(append, App.forest),
    Command.provide(generate, generateLayer),
    Command.provide(edit, found),
    Command.provide(split, found),
    Command.provide(remove, found),
    Command.provide(undo, found),
    Command.provide(redo, found),
    Command.provide(history, found),
    Command.provide(bookmark, found),
    Command.provide(bookmarks, found),
    Command.provide(search, found),
    Command.provide(diff, found),
    Command.provide(exporting, found),
    Command.provide(Import.importing, (options) => Layer.merge(App.forest(options), App.files)),
    Command.provide(verify, unchecked),
    Command.provide(purge, (options) => Layer.merge(found(options), confirm)),
  ]),
)

export { specs } from "../cli/command/Loom.ts"

export const vibe = App.checked(Command.make("vibe").pipe(Command.withSubcommands([...App.commands, loom])))
