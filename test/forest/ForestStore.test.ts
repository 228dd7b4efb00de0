import * as path from "node:path"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { contract } from "./ForestStore.contract.ts"

contract("memory", Sqlite.layerMemory)

contract(
  "SQLite",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => Sqlite.layer(path.join(folder, "state", "forest.db")))),
)
