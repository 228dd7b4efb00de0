/** Numbers and times as people read them. */

/** US dollars with two digits that count: `$0.0042`, `$1.30`. */
export const formatCost = (dollars: number): string => {
  if (dollars === 0) return "$0"
  if (dollars >= 1) return `$${dollars.toFixed(2)}`
  if (dollars < 0.000_01) return "<$0.00001"
  const digits = Math.max(2, 1 - Math.floor(Math.log10(dollars)))
  return `$${dollars.toFixed(digits)}`
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(0, milliseconds) / 1000
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : formatSeconds(Math.round(seconds))
}

/** In whole seconds, for a clock that goes on: `3 s`, `3 min 5 s`. */
export const formatSeconds = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `950`, `12.3k`, `128k`, `1.2M`. */
export const formatCount = (count: number): string => {
  if (count < 1000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"]
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`
}

/** A count with its noun: `1 file`, `2,300 files`. */
export const formatPlural = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`

/** The time of today, the day of this year, or the date; in the time zone and language of the reader. */
export const formatTime = (at: number, now: number): string => {
  const [then, today] = [new Date(at), new Date(now)]
  if (then.toDateString() === today.toDateString())
    return then.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })
  if (then.getFullYear() === today.getFullYear()) return then.toLocaleDateString([], { day: "numeric", month: "short" })
  return then.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })
}

/** `anthropic/claude-x` without its provider. */
export const shortModel = (model: string): string => model.slice(model.indexOf("/") + 1)

/** A share of one as `12 %`; what is there never reads as nothing. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`

/** At most `most` characters of a qualified name: the last part stays whole and the beginning readable, where both fit. */
export const shortenName = (name: string, most: number): string => {
  if (name.length <= most) return name
  const last = name.slice(name.lastIndexOf(".") + 1)
  // With the dot before it, and some characters of where it belongs to.
  const tail = last.length + MIN_HEAD + 2 <= most ? last.length + 1 : Math.floor((most - 1) / 2)
  return `${name.slice(0, most - 1 - tail)}…${name.slice(-tail)}`
}

/** Characters of the beginning that still say something. */
const MIN_HEAD = 4

/** `deprecated, may be gone from 2026-10-16 on, then gemini-flash-latest`. */
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

/** US dollars for a million tokens, as price lists have them. */
export const formatPrice = (dollars: number | undefined): string =>
  dollars === undefined ? "" : Number(dollars.toPrecision(3)).toString()
