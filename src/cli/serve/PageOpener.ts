/**
 * Opens the page in the user's browser without showing the token to other users of the machine, who can read the
 * arguments of every program. The browser opens a file that only the user can read, and the file leads to the
 * page by a code that is valid once.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { escapeHtml } from "../../forest/Export.ts"
import { Browser } from "./Browser.ts"

export interface PageOpener {
  /** Returns whether this is a code that `open` has given out. A code is valid once, and for a limited time. */
  readonly redeem: (code: string) => Effect.Effect<boolean>
  /** Opens the page; fails with a sentence. The file is there until the scope closes. */
  readonly open: (address: string) => Effect.Effect<void, string, Browser | Scope.Scope>
}

/** The time that a code is valid: a browser that first asks which profile to use takes a while. */
const VALID_FOR = Duration.minutes(10)

export const make = (): PageOpener => {
  /** The codes that are still valid, with the time until which they are. */
  const codes = new Map<string, number>()
  return {
    redeem: (code) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const until = codes.get(code)
        codes.delete(code)
        return until !== undefined && now <= until
      }),
    open: (address) =>
      Effect.gen(function* () {
        const code = randomBytes(24).toString("base64url")
        const file = yield* writeRedirect(`${address}?code=${code}`)
        codes.set(code, (yield* Clock.currentTimeMillis) + Duration.toMillis(VALID_FOR))
        const { open } = yield* Browser
        yield* open(pathToFileURL(file).href)
      }),
  }
}

/** Writes a page that leads to a URL into a new folder that only the user can open. */
const writeRedirect = (url: string): Effect.Effect<string, string, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-")),
      catch: notOpened,
    }),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })),
  ).pipe(
    Effect.flatMap((folder) =>
      Effect.try({
        try: () => {
          const file = path.join(folder, "open.html")
          fs.writeFileSync(file, redirectTo(url), { mode: 0o600, flag: "wx" })
          return file
        },
        catch: notOpened,
      }),
    ),
  )

const notOpened = (cause: unknown): string =>
  `the browser is not opened: ${cause instanceof Error ? cause.message : String(cause)}`

const redirectTo = (url: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${escapeHtml(url)}">
<title>vibe</title>
<p><a href="${escapeHtml(url)}">Open the page of vibe</a>. This address is valid once; vibe serve has printed one that stays.</p>
</html>
`
