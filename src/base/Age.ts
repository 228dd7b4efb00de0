/** The age of something, in words for lists. Pure. */
import { plural } from "./Plural.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Returns `just now`, `5 min ago`, `3 h ago`, `2 days ago`, and from 60 days on the local date. Both times are in
 * milliseconds since the epoch.
 */
export const text = (time: number, now: number): string => {
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
