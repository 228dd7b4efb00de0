import * as path from "node:path"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { isThorough } from "../thoroughness.ts"
import { contract } from "./ForestStore.contract.ts"

// The same code keeps both, and the tests of what stands on a store use this one.
if (isThorough) contract("memory", Sqlite.layerMemory)

contract(
  "SQLite",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => Sqlite.layer(path.join(folder, "state", "forest.db")))),
)
