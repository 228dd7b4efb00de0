/** Copies of an index on disk: to make one takes longer than most tests of it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

/**
 * Returns what writes the files of an index into a root. `make` makes them, in a root of its own, when they are first
 * needed.
 */
export const copied = <A, E>(make: (root: string) => Effect.Effect<A, E, Scope.Scope>) => {
  const made = Effect.gen(function* () {
    const root = yield* temporaryFolder
    yield* make(root)
    const folder = path.join(root, ".vibe")
    return fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name))] as const)
  }).pipe(Effect.scoped, Effect.uninterruptible, Effect.cached, Effect.runSync)
  return (root: string): Effect.Effect<void, E> =>
    Effect.map(made, (files) => {
      const folder = path.join(root, ".vibe")
      fs.mkdirSync(folder, { recursive: true })
      for (const [name, content] of files) fs.writeFileSync(path.join(folder, name), content)
    })
}
