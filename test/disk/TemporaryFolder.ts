/** A folder of its own for a test, gone when the scope closes. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, type Scope } from "effect"

export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-")))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })),
)
