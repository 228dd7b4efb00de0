/** Digests of texts. */
import type * as Crypto from "node:crypto"

/** Returns the SHA-256 of a text in hexadecimal digits. */
export const sha256 = (text: string): string => {
  // The module is loaded by the first text: most commands find no file changed, and would wait for all of node:crypto.
  crypto ??= process.getBuiltinModule("node:crypto")
  return crypto.hash("sha256", text)
}

let crypto: typeof Crypto | undefined
