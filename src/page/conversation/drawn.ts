/**
 * Decides which messages of a path are drawn: those around the visible ones, so that a path of any length costs the
 * same. Pure.
 */

/**
 * A range of places in the whole path, without `to`. At the end of the path `to` is infinite, so that new messages are
 * drawn too.
 */
interface Drawn {
  readonly from: number
  readonly to: number
}

/** The number of messages that are added at a time: more would take longer than a frame or two. */
export const step = 40
/** The most messages that are drawn. */
export const most = 240

export const atEnd: Drawn = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Limits a range to the messages that the page has: those from `first` on, of `total`. */
export const clip = ({ from, to }: Drawn, first: number, total: number): Drawn => {
  const end = Math.min(to, total)
  return { from: Math.max(first, Math.min(from, Math.max(first, end - step))), to: end }
}

/** Draws more messages above, and fewer below if there are too many. */
export const growUp = ({ from, to }: Drawn, total: number): Drawn => {
  const next = Math.max(0, from - step)
  const end = Math.min(to, next + most)
  return { from: next, to: end >= total ? Number.POSITIVE_INFINITY : end }
}

export const growDown = ({ from, to }: Drawn, total: number): Drawn => {
  const end = Math.min(total, to + step)
  return { from: Math.max(from, end - most), to: end >= total ? Number.POSITIVE_INFINITY : end }
}
