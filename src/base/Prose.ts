/** Puts counts, ages and times into words, and divides prose into sentences. Pure. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Returns `just now`, `5 min ago`, `3 h ago`, `2 days ago`, and from 60 days on the local date. Both times are in
 * milliseconds since the epoch.
 */
export const ageOf = (time: number, now: number): string => {
  const age = now - time
  if (age < MINUTE) return age < -MINUTE ? date(time) : "just now"
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`
  return age < 60 * DAY ? `${plural(Math.floor(age / DAY), "day")} ago` : date(time)
}

/** Returns `2026-11-23`, in the time zone of this machine. */
const date = (time: number): string => {
  const at = new Date(time)
  return Number.isNaN(at.getTime())
    ? String(time)
    : [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-")
}

/**
 * Formats a time to the second: `2026-11-23 02:50:00+01:00`, or with `Z` at the offset 0. `offset` is the number of
 * minutes by which the zone is ahead of UTC at that time. By default it is that of the machine's zone, as in `ls` and
 * `git log`: a user compares times with a clock beside them, and the text names the offset, so it means the same
 * elsewhere.
 */
export const timeOf = (milliseconds: number, offset = -new Date(milliseconds).getTimezoneOffset()): string => {
  const local = new Date(milliseconds + offset * 60_000)
  if (Number.isNaN(local.getTime())) return String(milliseconds)
  const digits = (count: number) => String(Math.trunc(count)).padStart(2, "0")
  const zone = `${offset < 0 ? "-" : "+"}${digits(Math.abs(offset) / 60)}:${digits(Math.abs(offset) % 60)}`
  return local
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, offset === 0 ? "Z" : zone)
}

/** Returns a count with its noun: `1 node`, `2 nodes`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/**
 * Splits one line of prose into its sentences. None begins with a lower-case letter, so `e.g. this` ends none; what
 * closes a quotation or parenthesis belongs to the sentence before it. O(length of the text).
 */
export const splitSentences = (prose: string): ReadonlyArray<string> => prose.split(boundary)

const boundary = /(?<=[.!?][)"'`]?) (?![a-z])/

/** Returns the first sentence of one line of prose; all of it if no sentence ends in it. */
export const firstSentence = (prose: string): string => splitSentences(prose)[0] ?? prose

/** The most characters of a name in a message, and how many of its beginning and end stay if it has more. */
const MAX_NAME = 400
const [KEPT_HEAD, KEPT_TAIL] = [200, 100]

/**
 * Cuts long names in a message to their beginning and end: words, and texts in single quotes, of more than 400
 * characters. Messages repeat what was typed, which may be a whole file by mistake. Links stay as they are, since they
 * are opened. O(length of the message).
 */
export const cutNames = (message: string): string =>
  message.length <= MAX_NAME ? message : message.replaceAll(names, cutName)

/** Matches quoted texts and words. An apostrophe within a word is no quote. */
const names = /(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|[^\s']+/gu

const cutName = (name: string): string =>
  name.length <= MAX_NAME || /^https?:/.test(name)
    ? name
    : `${name.slice(0, KEPT_HEAD).toWellFormed()}…${name.slice(-KEPT_TAIL).toWellFormed()}`

/** Lists alternatives: `a, b or c`. */
export const anyOf = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
