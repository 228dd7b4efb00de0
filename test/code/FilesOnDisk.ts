/** Folders on disk that live as long as a test. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, type Scope } from "effect"
import type * as Files from "../../src/code/Files.ts"

/** A folder with these contents, by their paths in it; links as they are given. */
export const planted = (contents: Readonly<Record<string, Files.Content>>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "vibe-code-")))
      for (const [path, content] of Object.entries(contents)) plant(join(root, path), content)
      return root
    }),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true })),
  )

export const plant = (path: string, content: Files.Content): void => {
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(path, content)
  else symlinkSync(content.link, path)
}

/** Node cannot make a FIFO, and it takes 50 ms of processor time to start a program: make several at once. */
export const plantFifos = (...paths: ReadonlyArray<string>): void => void execFileSync("mkfifo", paths)

export const socket = (path: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const server = createServer().listen(path, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void))),
  )
