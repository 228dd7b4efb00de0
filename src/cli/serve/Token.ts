/** The secret that requests to `vibe serve` carry, and the sources from which the user can choose it. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../../base/UsageError.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Input from "../terminal/Input.ts"

interface Typed {
  readonly host: string
  readonly token: Option.Option<string>
  readonly tokenFile: Option.Option<string>
}

export interface Token {
  readonly value: string
  /** A line for the user that says how other users of the machine can learn the token. */
  readonly warning: string | undefined
}

/**
 * The token of `--token`, of `--token-file` or of `VIBE_TOKEN`, in this order; otherwise 24 random bytes. A server that
 * other machines reach needs one that its user has chosen.
 */
export const resolve = Effect.fn("Token.resolve")(function* ({ host, token, tokenFile }: Typed) {
  const chosen = yield* choose(token, tokenFile)
  if (Option.isNone(chosen)) {
    if (isLoopback(host)) return { value: randomBytes(24).toString("base64url"), warning: undefined }
    return yield* refuse(
      `on ${host} other machines reach vibe, and whoever has its token can read your conversations: choose one with VIBE_TOKEN or --token-file`,
    )
  }
  const { source, value, warning } = chosen.value
  if (value.length < MIN_CHARS) return yield* refuse(`${source} takes at least ${MIN_CHARS} characters`)
  // A header and a cookie carry no other characters.
  if (!/^[\x20-\x7e]*$/.test(value)) {
    return yield* refuse(`${source} takes one line of ASCII characters, such as openssl rand -hex 24 prints`)
  }
  return { value, warning }
})

interface Chosen extends Token {
  /** The option or variable that the user has set, for an error. */
  readonly source: string
}

const choose = Effect.fnUntraced(function* (token: Option.Option<string>, tokenFile: Option.Option<string>) {
  if (Option.isSome(token)) {
    if (Option.isSome(tokenFile)) return yield* refuse("there is either --token or --token-file")
    const warning = "--token can be read by every user of this machine; VIBE_TOKEN and --token-file cannot"
    return Option.some<Chosen>({ source: "--token", value: token.value, warning })
  }
  if (Option.isSome(tokenFile)) {
    const file = tokenFile.value
    const bytes = yield* Input.readNamed(file, { maxBytes: MAX_BYTES, command: "serve" })
    const value = new TextDecoder().decode(bytes).trim()
    const warning = isReadByOthers(file) ? `${file} can be read by other users of this machine: chmod 600` : undefined
    return Option.some<Chosen>({ source: `--token-file ${file}`, value, warning })
  }
  return Option.map(
    yield* AppConfig.serverToken,
    (secret): Chosen => ({ source: "VIBE_TOKEN", value: Redacted.value(secret).trim(), warning: undefined }),
  )
})

const isReadByOthers = (file: string): boolean => {
  if (process.platform === "win32") return false
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && (stats.mode & 0o044) !== 0
}

const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)

const refuse = (message: string) => new UsageError({ message, command: "serve" })

const MIN_CHARS = 16

/** The most bytes of a token file: longer than any token. */
const MAX_BYTES = 10_000
