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

/**
 * Redacts secrets however a program that echoes them has coded them: in base64 (also within a longer text that was
 * coded), base64url or hexadecimal; percent-coded, escaped as in JSON, JavaScript or HTML, each character for itself;
 * in another case; and split by spaces and line breaks, also by escaped ones. It takes some microseconds for each kB
 * and secret.
 */
export const redactCoded = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
    .flatMap(codedPatterns)
    .reduce((text, pattern) => text.replaceAll(pattern, REDACTED), text)

/** Matches what may come between two characters. The limit keeps the search linear. */
const BREAK = String.raw`(?:\s|\\+[nrt]|%(?:25)*(?:20|0[9ad])|<br ?/?>|&nbsp;|&#(?:10|13|32|x0?a|x0?d|x20);){0,16}?`

const codedPatterns = (secret: string): ReadonlyArray<RegExp> => {
  const bytes = Buffer.from(secret)
  const hexadecimal = Array.from(bytes, hexOf).join(String.raw`(?:[\s:,-]|0x|\\+[nrtx]){0,8}?`)
  return [
    new RegExp(Array.from(secret, codedCharacter).join(BREAK), "giu"),
    new RegExp(hexadecimal, "gi"),
    ...[0, 1, 2].map((offset) => new RegExp(base64At(bytes, offset), "g")),
  ]
}

/** Secrets have at least eight bytes, so that eleven digits or more are of the secret alone. */
const base64At = (bytes: Buffer, offset: number): string => {
  const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64")
  const whole = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  const digits = Array.from(whole, (digit) => base64Digit[digit] ?? digit)
  // The last digit may have bits of the secret, too.
  return `${digits.join(BREAK)}(?:[\\w+/-]?={1,2})?`
}

/** The digits that base64url or a URL writes in another way. */
const base64Digit: Readonly<Record<string, string>> = {
  "+": String.raw`(?:[+-]|%(?:25)*2[Bb]|\\+u002[Bb])`,
  "/": String.raw`(?:[/_]|%(?:25)*2[Ff]|\\+u002[Ff]|\\+/)`,
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0")

/**
 * Returns a pattern for a character as itself, behind backslashes, percent-coded (twice, too), or as an escape of JSON,
 * JavaScript or HTML.
 */
const codedCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  const percent = Array.from(Buffer.from(character), (byte) => `%(?:25)*${hexOf(byte)}`).join("")
  const named = namedEntities[character]
  return `(?:${[
    // The character is written by its code, since it may mean something in a pattern.
    String.raw`\\*\u{${hex}}`,
    percent,
    ...(code < 65_536 ? [String.raw`\\+u${hex.padStart(4, "0")}`] : []),
    String.raw`\\+u\{0*${hex}\}`,
    ...(code < 256 ? [String.raw`\\+x${hexOf(code)}`] : []),
    `&(?:amp;)*#(?:0*${code}|x0*${hex});?`,
    ...(named === undefined ? [] : [`&(?:amp;)*(?:${named});`]),
  ].join("|")})`
}

const namedEntities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "-": "hyphen|dash",
  _: "lowbar",
  "+": "plus",
  "/": "sol",
  "=": "equals",
  ".": "period",
  ":": "colon",
}
