/** Outlines in vibe's own process, with V8 set up for grammars in all of its threads. */
import * as path from "node:path"
import * as Layer from "effect/Layer"
import { ParseRunner } from "../code/Symbols/TreeSitter.ts"
import * as Workers from "../code/Symbols/Workers.ts"
import type { Symbols } from "../code/Symbols.ts"
import { runParse, setForGrammars } from "./V8.ts"

setForGrammars()

/** The worker's entry is beside this module and has its extension: the bundle has the entry beside its chunks. */
const workerEntry = new URL(`./outlineWorker${path.extname(import.meta.url)}`, import.meta.url)

export const layer: Layer.Layer<Symbols> = Layer.provide(
  Workers.layerWith(workerEntry),
  Layer.succeed(ParseRunner, runParse),
)
