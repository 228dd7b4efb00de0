/** The whole program with the commands of `vibe loom`: they are many, and most command lines are not about them. */
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
import type * as Conversing from "./Conversing.ts"
import type * as Generating from "./Generating.ts"

const { conversing } = App

const generating = (options: Generating.Options) =>
  App.lazily(
    () => import("./Generating.ts"),
    ({ layer }) => layer(options),
  )

/** Of the commands that only go on with what is there. */
const finding = (options: Conversing.Options) =>
  App.lazily(
    () => import("./Conversing.ts"),
    ({ layerFound }) => layerFound(options),
  )

const logging = (options: Conversing.Options) =>
  Layer.merge(
    finding(options),
    App.lazily(
      () => import("./Pricing.ts"),
      ({ layer }) => layer,
    ),
  )

const verifying = (options: Conversing.Options) =>
  App.lazily(
    () => import("./Conversing.ts"),
    ({ layerUnchecked }) => layerUnchecked(options),
  )

const purging = (options: Conversing.Options) =>
  Layer.merge(
    finding(options),
    App.lazily(
      () => import("../cli/terminal/Confirm/Node.ts"),
      ({ layer }) => layer,
    ),
  )

const importing = (options: Conversing.Options) => Layer.merge(conversing(options), App.files)

const loom = Command.make("loom").pipe(
  Command.withSubcommands([
    Command.provide(roots, finding),
    Command.provide(log, logging),
    Command.provide(LoomShow.show, finding),
    Command.provide(tree, finding),
    Command.provide(append, conversing),
    Command.provide(generate, generating),
    Command.provide(edit, finding),
    Command.provide(split, finding),
    Command.provide(remove, finding),
    Command.provide(undo, finding),
    Command.provide(redo, finding),
    Command.provide(history, finding),
    Command.provide(bookmark, finding),
    Command.provide(bookmarks, finding),
    Command.provide(search, finding),
    Command.provide(diff, finding),
    Command.provide(exporting, finding),
    Command.provide(Import.importing, importing),
    Command.provide(verify, verifying),
    Command.provide(purge, purging),
  ]),
)

export { specs } from "../cli/command/Loom.ts"

export const vibe = App.ready(Command.make("vibe").pipe(Command.withSubcommands([...App.commands, loom])))
