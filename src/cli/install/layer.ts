/** The layer of `vibe install`: files, and how this process was started. */
import * as fs from "node:fs"
import * as Layer from "effect/Layer"
import * as NodeFiles from "../../code/Files/Node.ts"
import { Machine } from "../../install/Launch.ts"
import * as Confirm from "../terminal/Confirm.ts"

const machine = Layer.sync(Machine, () => ({
  node: process.execPath,
  // A package manager puts a link to the script into a folder of PATH.
  script: fs.realpathSync(process.argv[1] ?? ""),
  platform: process.platform,
}))

export const layer = machine.pipe(Layer.provideMerge(Confirm.layer), Layer.provideMerge(NodeFiles.layer))
