/** Which messages of a path are drawn: those around what one sees, so that a path of any length costs the same. Pure. */

/** Places in the whole path, `to` not among them. At the end it is infinite: what is added is drawn too. */
export interface Drawn {
  readonly from: number
  readonly to: number
}

/** How many are added at a time: more would take longer than a frame or two. */
export const step = 40
/** The most that are drawn. */
export const most = 240

export const atEnd: Drawn = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** What there is of it: the page has the messages from `first` on, of `total`. */
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
