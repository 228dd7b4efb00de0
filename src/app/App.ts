/** The whole program: each command with the layers it runs on, loaded when it runs. The only module that chooses. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { completion } from "../cli/command/Completion.ts"
import { config } from "../cli/command/Config.ts"
import { index } from "../cli/command/Index.ts"
import { append } from "../cli/command/loom/Append.ts"
import { bookmark } from "../cli/command/loom/Bookmark.ts"
import { bookmarks } from "../cli/command/loom/Bookmarks.ts"
import { remove } from "../cli/command/loom/Delete.ts"
import { diff } from "../cli/command/loom/Diff.ts"
import { edit } from "../cli/command/loom/Edit.ts"
import { exporting } from "../cli/command/loom/Export.ts"
import { generate } from "../cli/command/loom/Generate.ts"
import { importing } from "../cli/command/loom/Import.ts"
import { log } from "../cli/command/loom/Log.ts"
import { roots } from "../cli/command/loom/Roots.ts"
import { search } from "../cli/command/loom/Search.ts"
import * as LoomShow from "../cli/command/loom/Show.ts"
import { split } from "../cli/command/loom/Split.ts"
import { tree } from "../cli/command/loom/Tree.ts"
import { undo } from "../cli/command/loom/Undo.ts"
import { verify } from "../cli/command/loom/Verify.ts"
import { models } from "../cli/command/Models.ts"
import { query } from "../cli/command/Query.ts"
import { show } from "../cli/command/Show.ts"
import { status } from "../cli/command/Status.ts"
import type * as Conversing from "./Conversing.ts"
import type * as Exploring from "./Exploring.ts"

const lazily = <M, A, E, R>(load: () => Promise<M>, layer: (module: M) => Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))

const exploring = (options: Exploring.Options) =>
  lazily(
    () => import("./Exploring.ts"),
    ({ layer }) => layer(options),
  )

const reading = lazily(
  () => import("./Reading.ts"),
  ({ layer }) => layer,
)

const conversing = (options: Conversing.Options) =>
  lazily(
    () => import("./Conversing.ts"),
    ({ layer }) => layer(options),
  )

const completing = (options: { readonly words: ReadonlyArray<string> }) =>
  lazily(
    () => import("./Completing.ts"),
    ({ layer }) => layer(options),
  )

const generating = (options: Conversing.Options) =>
  lazily(
    () => import("./Generating.ts"),
    ({ layer }) => layer(options),
  )

const knowing = lazily(
  () => import("./Knowing.ts"),
  ({ layer }) => layer,
)

const loom = Command.make("loom").pipe(
  Command.withSubcommands([
    Command.provide(roots, conversing),
    Command.provide(log, conversing),
    Command.provide(LoomShow.show, conversing),
    Command.provide(tree, conversing),
    Command.provide(append, conversing),
    Command.provide(generate, generating),
    Command.provide(edit, conversing),
    Command.provide(split, conversing),
    Command.provide(remove, conversing),
    Command.provide(undo, conversing),
    Command.provide(bookmark, conversing),
    Command.provide(bookmarks, conversing),
    Command.provide(search, conversing),
    Command.provide(diff, conversing),
    Command.provide(exporting, conversing),
    Command.provide(importing, conversing),
    Command.provide(verify, conversing),
  ]),
)

export const vibe = Command.make("vibe").pipe(
  Command.withSubcommands([
    Command.provide(index, exploring),
    Command.provide(query, reading),
    // Without `--why` no conversation is looked at.
    Command.provide(show, ({ why }) => Layer.merge(reading, conversing({ forest: Option.none(), ephemeral: !why }))),
    Command.provide(status, reading),
    Command.provide(models, knowing),
    config,
    loom,
    Command.provide(completion, completing),
  ]),
)
