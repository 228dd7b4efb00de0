/** Finds the secrets in an environment, which must not be passed on or shown, and redacts them in a text. Pure. */

/**
 * The fewest characters of a secret. A shorter value is a placeholder (`none`, `token`), which may occur in any text.
 */
export const MIN_SECRET_CHARS = 8

/**
 * Returns whether a variable holds a secret, by its name or the form of its value. The names are those that gemini-cli
 * (`environmentSanitization.ts`) and Buildkite's agent (`redacted-vars`) withhold, and the short forms of databases and
 * CI systems (`MYSQL_PWD`, `GITHUB_PAT`). A value is a secret if it is a URL or connection string with a password, a
 * private key, or a token of a known form.
 */
export const isSecret = (name: string, value: string): boolean =>
  (named.test(name) && !harmless.test(name)) || formed.test(value)

/**
 * Returns the secrets of an environment, the longest first. A URL with a password is a secret, and so is the password.
 */
export const valuesIn = (environment: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    isSecret(name, value) ? [value, ...passwordsIn(value)] : [],
  )
  return Array.from(new Set(values.filter((value) => value.length >= MIN_SECRET_CHARS))).sort(
    (a, b) => b.length - a.length,
  )
}

const named = new RegExp(
  [
    "KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CONNECTION_?STRING|WEBHOOK",
    // These must be whole words, unlike the AUTH of `GIT_AUTHOR_NAME`.
    "(?<![A-Z0-9])(?:JWT|COOKIES?|DSN|CREDS?|AUTHORIZATION)(?![A-Z0-9])",
    // These must be last words: `SSH_AUTH_SOCK` is the path of a socket, and `PASS_THROUGH` holds no password.
    "(?<![A-Z0-9])(?:O?AUTH(?:_HEADER)?|PAT|SK)$",
    "(?:PASS|PWD)$",
  ].join("|"),
  "i",
)

/** Variables for folders, programs and switches, though their names contain those of secrets. */
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

/** Returns each password as it is written, and without URL escapes. */
const passwordsIn = (value: string): ReadonlyArray<string> =>
  Array.from(value.matchAll(/:\/\/[^\s/@:"']*:([^\s/@"']+)@/g), ([, password = ""]) => password).flatMap((password) => [
    password,
    decodePercentEscapes(password),
  ])

const decodePercentEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The text that replaces a secret. */
export const REDACTED = "[key]"

/** Returns how these secrets may be written: as they are, URL-encoded and in JSON. */
export const formsOf = (secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    // The longest form comes first, because one secret may contain another.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
    .filter((form, index, forms) => forms.indexOf(form) === index)

/**
 * Redacts forms from `formsOf`, which a caller computes once for many texts, and everything that looks like a
 * provider's key; nothing else, so that code stays intact. Other names that begin with `sk-` are short or have no
 * digit.
 */
export const redactForms = (text: string, forms: ReadonlyArray<string>): string =>
  forms
    .reduce((text, form) => text.replaceAll(form, REDACTED), text)
    .replaceAll(/\b(?:AIza|gsk_|xai-|sk-)[\w-]*/g, redactKeyWord)

/**
 * Redacts a word that begins like a key. It is examined as a whole: looking for a digit after each `sk-` in it would
 * take quadratic time.
 */
const redactKeyWord = (word: string): string => {
  if (!word.startsWith("sk-")) return word.length < 12 ? word : REDACTED
  return word.length < 19 || !/\d/.test(word) ? word.replaceAll(/\b(?:AIza|gsk_|xai-)[\w-]{8,}/g, REDACTED) : REDACTED
}
