/** A folder with an empty `.vibe`, for vectors. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"

export const make = Effect.acquireRelease(
  Effect.sync(() => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "vectors-"))
    fs.mkdirSync(path.join(root, ".vibe"))
    return root
  }),
  (root) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true })),
)
