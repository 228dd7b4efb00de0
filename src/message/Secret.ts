/** Which variables of an environment hold a secret, and what of them must never be shown. Pure. */

/** In characters: what is shorter is no key but a word in its place (`none`, `token`), which may stand in any text. */
export const SHORTEST = 8

/**
 * Whether a variable holds a secret, by its name or by the form of its value. The names are those that gemini-cli
 * (`environmentSanitization.ts`) and Buildkite's agent (`redacted-vars`) withhold, with the short forms that databases
 * and CI systems use (`MYSQL_PWD`, `GITHUB_PAT`). A value is a secret where it is a URL or a connection string with a
 * password, a private key, or a token of a known form.
 */
export const isSecret = (name: string, value: string): boolean =>
  (named.test(name) && !harmless.test(name)) || formed.test(value)

/** The secrets of an environment, the longest first; of a URL with a password, that alone too. */
export const valuesIn = (environment: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    isSecret(name, value) ? [value, ...passwordsIn(value)] : [],
  )
  return Array.from(new Set(values.filter((value) => value.length >= SHORTEST))).sort((a, b) => b.length - a.length)
}

const named = new RegExp(
  [
    "KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CONNECTION_?STRING|WEBHOOK",
    // Words of their own: `GIT_AUTHOR_NAME` has no AUTH in it.
    "(?<![A-Z0-9])(?:JWT|COOKIES?|DSN|CREDS?|AUTHORIZATION)(?![A-Z0-9])",
    // Last words: `SSH_AUTH_SOCK` is the path of a socket, `PASS_THROUGH` says something else.
    "(?<![A-Z0-9])(?:O?AUTH(?:_HEADER)?|PAT|SK)$",
    "(?:PASS|PWD)$",
  ].join("|"),
  "i",
)

/** Folders, programs and switches with the name of a secret in theirs. */
const harmless =
  /^(?:(?:OLD|INIT|ORIG|ORIGINAL|START|CURRENT|HOST)_?)?PWD$|ASKPASS$|(?:BY|COM)PASS$|^TOKENIZERS_PARALLELISM$/i

const formed = new RegExp(
  [
    String.raw`:\/\/[^\s/@:"']*:[^\s/@"']+@`,
    String.raw`[?&;]\s*(?:password|pwd|accountkey|sharedaccesskey)\s*=`,
    "-----BEGIN [A-Z ]{0,40}PRIVATE KEY",
    String.raw`^(?:gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_(?:live|test)_|npm_|hf_|pypi-|gsk_|xai-|sk-|AIza|AKIA|ASIA)[\w.-]{12,}$`,
    String.raw`^eyJ[\w-]{8,}\.[\w-]+\.[\w-]*$`,
  ].join("|"),
  "i",
)

/** As they are written, and without the escapes of a URL. */
const passwordsIn = (value: string): ReadonlyArray<string> =>
  Array.from(value.matchAll(/:\/\/[^\s/@:"']*:([^\s/@"']+)@/g), ([, password = ""]) => password).flatMap((password) => [
    password,
    unescaped(password),
  ])

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
