/** The commands of `vibe loom`, in the order in which help lists them; loaded if a command line may name one. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { processEnvironment } from "../../app/OwnProcess.ts"
import type * as ForestLayer from "../layers/ForestLayer.ts"
import { type Entry, entry, lazily } from "../Table.ts"
import * as Read from "./readCommands.ts"
import * as Write from "./writeCommands.ts"

const forest = () => import("../layers/ForestLayer.ts")

/** The forest for commands that only read or change existing nodes: a missing file is an error. */
const found = async () => ({ layer: (await forest()).layerFound })

/** The same forest, for commands whose output may be long. */
const paged = async () => {
  const [{ layerFound }, pager] = await Promise.all([forest(), import("../terminal/Pager.ts")])
  return {
    layer: (options: ForestLayer.Options) => Layer.provideMerge(pager.layer(processEnvironment()), layerFound(options)),
  }
}

const pagedWithPrices = async () => {
  const { layer } = await paged()
  const prices = lazily(
    () => import("../../app/Catalog.ts"),
    ({ layerPrices }) => layerPrices,
  )
  return { layer: (options: ForestLayer.Options) => Layer.provideMerge(prices, layer(options)) }
}

/** `append` makes a tree, and so a forest, only with a system prompt. */
const foundOrNew = async () => {
  const { layer, layerFound } = await forest()
  return {
    layer: (options: ForestLayer.Options & { readonly system: Option.Option<string> }) =>
      Option.isSome(options.system) ? layer(options) : layerFound(options),
  }
}

/** Adds the files that a command reads. `layerOf` names the layer of the forest that it needs. */
const withFiles = async (layerOf: "layer" | "layerFound") => {
  const [layers, files] = await Promise.all([forest(), import("../../code/Files/Node.ts")])
  return {
    layer: (options: ForestLayer.Options) => Layer.provideMerge(files.layer, layers[layerOf](options)),
  }
}

const confirmed = async () => {
  const [{ layerFound }, confirm] = await Promise.all([forest(), import("../terminal/Confirm.ts")])
  return { layer: (options: ForestLayer.Options) => Layer.provideMerge(confirm.layer, layerFound(options)) }
}

const generating = async () => ({ layer: (await import("../ask/layer.ts")).layerGenerate })

/** The layer that opens even a damaged forest. */
const unchecked = async () => ({ layer: (await forest()).layerUnchecked })

export const entries: ReadonlyArray<Entry> = [
  entry({ command: Read.roots, run: async () => ({ run: (await import("./trees.ts")).roots }), layer: paged }),
  entry({ command: Read.log, run: () => import("./log.ts"), layer: pagedWithPrices }),
  entry({ command: Read.show, run: async () => ({ run: (await import("./trees.ts")).show }), layer: paged }),
  entry({ command: Read.tree, run: async () => ({ run: (await import("./trees.ts")).tree }), layer: paged }),
  entry({
    command: Write.switchCommand,
    run: async () => ({ run: (await import("./bookmarks.ts")).switchTo }),
    layer: found,
  }),
  entry({ command: Write.append, run: () => import("./append.ts"), layer: foundOrNew }),
  entry({ command: Write.generate, run: () => import("./generate.ts"), layer: generating }),
  entry({ command: Write.edit, run: async () => ({ run: (await import("./changes.ts")).edit }), layer: found }),
  entry({ command: Write.split, run: async () => ({ run: (await import("./changes.ts")).split }), layer: found }),
  entry({ command: Write.join, run: async () => ({ run: (await import("./changes.ts")).join }), layer: found }),
  entry({ command: Write.move, run: async () => ({ run: (await import("./changes.ts")).move }), layer: found }),
  entry({
    command: Write.copy,
    run: async () => ({ run: (await import("./changes.ts")).copy }),
    layer: () => withFiles("layerFound"),
  }),
  entry({ command: Write.deleteCommand, run: () => import("./delete.ts"), layer: found }),
  entry({ command: Write.undo, run: async () => ({ run: (await import("./undo.ts")).undo }), layer: found }),
  entry({ command: Write.redo, run: async () => ({ run: (await import("./undo.ts")).redo }), layer: found }),
  entry({ command: Read.history, run: async () => ({ run: (await import("./undo.ts")).history }), layer: paged }),
  entry({
    command: Write.bookmark,
    run: async () => ({ run: (await import("./bookmarks.ts")).bookmark }),
    layer: found,
  }),
  entry({
    command: Read.bookmarks,
    run: async () => ({ run: (await import("./bookmarks.ts")).bookmarks }),
    layer: paged,
  }),
  entry({ command: Read.search, run: () => import("./search.ts"), layer: paged }),
  entry({ command: Read.diff, run: () => import("./diff.ts"), layer: paged }),
  entry({ command: Read.exportCommand, run: () => import("./export.ts"), layer: found }),
  entry({ command: Write.importCommand, run: () => import("./import.ts"), layer: () => withFiles("layer") }),
  entry({
    command: Read.verify,
    run: async () => ({ run: (await import("./maintenance.ts")).verify }),
    layer: unchecked,
  }),
  entry({
    command: Write.purge,
    run: async () => ({ run: (await import("./maintenance.ts")).purge }),
    layer: confirmed,
  }),
]
