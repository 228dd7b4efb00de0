/** Formats numbers and times for the user. */

/** Formats US dollars with two significant digits: `$0.0042`, `$1.30`. */
export const formatCost = (dollars: number): string => {
  if (dollars === 0) return "$0"
  if (dollars >= 1) return `$${dollars.toFixed(2)}`
  if (dollars < 0.000_01) return "<$0.00001"
  const digits = Math.max(2, 1 - Math.floor(Math.log10(dollars)))
  return `$${dollars.toFixed(digits)}`
}

/** Formats a duration: `0.4 s`, `12 s`, `3 min 5 s`. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(0, milliseconds) / 1000
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : formatSeconds(Math.round(seconds))
}

/** Formats a duration in whole seconds, for a running clock: `3 s`, `3 min 5 s`. */
export const formatSeconds = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Shortens a count: `950`, `12.3k`, `128k`, `1.2M`. */
export const formatCount = (count: number): string => {
  if (count < 1000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"]
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`
}

/** Formats a whole number: `950`, `2,300`. */
export const formatNumber = (count: number): string => count.toLocaleString("en")

/** Formats a count with its noun: `1 file`, `2,300 files`. */
export const formatPlural = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`

/**
 * Formats a moment of today as a time, one of this year as a day, and any other as a date, in the time zone and
 * language of the user.
 */
export const formatTime = (at: number, now: number): string => {
  const [then, today] = [new Date(at), new Date(now)]
  if (then.toDateString() === today.toDateString())
    return then.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })
  if (then.getFullYear() === today.getFullYear()) return then.toLocaleDateString([], { day: "numeric", month: "short" })
  return then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })
}

/** Removes the provider from a name such as `anthropic/claude-x`. */
export const shortModel = (model: string): string => model.slice(model.indexOf("/") + 1)

/** Formats a share of one: `12 %`. A small share reads `under 1 %`, never `0 %`. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`

/**
 * Shortens a qualified name to at most `most` characters. The last part stays whole and the beginning readable if both
 * fit.
 */
export const shortenName = (name: string, most: number): string => {
  if (name.length <= most) return name
  const last = name.slice(name.lastIndexOf(".") + 1)
  // The end that is kept has the dot before the last part, if some characters of its container fit too.
  const tail = last.length + MIN_HEAD + 2 <= most ? last.length + 1 : Math.floor((most - 1) / 2)
  return `${name.slice(0, most - 1 - tail)}…${name.slice(-tail)}`
}

/** The fewest characters of the beginning that are still useful. */
const MIN_HEAD = 4

/** A qualified name in its parts: the last one, and what contains it with the sign between them, such as `Session.`. */
export const splitName = (name: string): { readonly container: string; readonly last: string } => {
  // A name may end with such a sign, for example that of an operator.
  const [, container = "", last = name] = /^(.*(?:\.|\\|::))([^.\\]+)$/.exec(name) ?? []
  return { container, last }
}

const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

/** Puts symbols with exactly the name that was typed first, types before others; the rest keep their order. */
export const byName = <A>(
  found: ReadonlyArray<A>,
  text: string,
  symbolOf: (one: A) => { readonly kind: string; readonly name: string },
): ReadonlyArray<A> => {
  const typed = text.trim().toLowerCase()
  const rank = (one: A): number => {
    const { kind, name } = symbolOf(one)
    const folded = name.toLowerCase()
    if (folded === typed) return types.has(kind) ? 0 : 1
    return splitName(folded).last === typed ? (types.has(kind) ? 2 : 3) : 4
  }
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/** Returns the namespace that all of the names begin with, so that a list of them can leave it out. */
export const sharedNamespace = (names: ReadonlyArray<string>): string => {
  const [first = "", ...rest] = names
  let { container } = splitName(first)
  while (container !== "" && !rest.every((name) => name.startsWith(container))) {
    container = splitName(container.replace(/(?:::|[.\\])$/, "")).container
  }
  return rest.length === 0 ? "" : container
}

/** Describes a deprecation: `deprecated, may be gone from 2026-10-16 on, then gemini-flash-latest`. */
export const formatDeprecation = ({
  from,
  successor,
}: {
  readonly from?: string | undefined
  readonly successor?: string | undefined
}): string =>
  [
    "deprecated",
    ...(from === undefined ? [] : [`may be gone from ${from} on`]),
    ...(successor === undefined ? [] : [`then ${successor}`]),
  ].join(", ")

/** Formats a price in US dollars for a million tokens, as price lists do. */
export const formatPrice = (dollars: number | undefined): string =>
  dollars === undefined ? "" : Number(dollars.toPrecision(3)).toString()

/** Divides a sentence at its code, which is between backticks: every second part is code. */
export const splitAtCode = (text: string): ReadonlyArray<string> => text.split(/`([^`]+)`/)
