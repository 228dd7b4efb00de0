/** The whole program with the commands of `vibe loom`: they are many, and most command lines are not about them. */
import * as Command from "@effect/cli/Command"
import * as Layer from "effect/Layer"
import * as Read from "../cli/loom/readCommands.ts"
import * as Write from "../cli/loom/writeCommands.ts"
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
    Command.provide(Read.roots, finding),
    Command.provide(Read.log, logging),
    Command.provide(Read.show, finding),
    Command.provide(Read.tree, finding),
    Command.provide(Write.append, conversing),
    Command.provide(Write.generate, generating),
    Command.provide(Write.edit, finding),
    Command.provide(Write.split, finding),
    Command.provide(Write.deleteCommand, finding),
    Command.provide(Write.undo, finding),
    Command.provide(Write.redo, finding),
    Command.provide(Read.history, finding),
    Command.provide(Write.bookmark, finding),
    Command.provide(Read.bookmarks, finding),
    Command.provide(Read.search, finding),
    Command.provide(Read.diff, finding),
    Command.provide(Read.exportCommand, finding),
    Command.provide(Write.importCommand, importing),
    Command.provide(Read.verify, verifying),
    Command.provide(Write.purge, purging),
  ]),
)

export { specs } from "../cli/loom/command.ts"

export const vibe = App.ready(Command.make("vibe").pipe(Command.withSubcommands([...App.commands, loom])))
