/** The layer that compares states of a repository: files, the outliner, the index, and the program git. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as SymbolsLayer from "../../app/SymbolsLayer.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import { Symbols } from "../../code/Symbols.ts"
import * as Sqlite from "../../index/IndexStore/Sqlite.ts"
import * as Program from "../../review/Git/Program.ts"
import * as Review from "../../review/Review.ts"

const symbols = Layer.effect(
  Symbols,
  Effect.map(Symbols, (symbols) => Review.withMemory(symbols)),
).pipe(Layer.provide(SymbolsLayer.layer))

export const layer = Sqlite.layer.pipe(
  Layer.provideMerge(symbols),
  Layer.provideMerge(NodeFiles.layer),
  Layer.provideMerge(Layer.suspend(() => Program.layer(processEnvironment()))),
)
