/** Tells texts apart: what differs has another digest. */
import type * as Crypto from "node:crypto"

/** SHA-256, in hexadecimal digits. */
export const of = (text: string): string => {
  // Loaded by the first text: most questions find that nothing has changed, and would wait for all of it.
  crypto ??= process.getBuiltinModule("node:crypto")
  return crypto.hash("sha256", text)
}

let crypto: typeof Crypto | undefined
