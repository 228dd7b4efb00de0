/**
 * The layout of a screen: where its parts are, how large they are, and their colours. It is compared instead of the
 * pixels, which differ with the faces that a machine has and with how it draws them.
 */

export interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: string
  readonly background: string
}

/** The parts by their names; `null` for one that is not shown. */
export type Layout = Readonly<Record<string, Part | null>>

/** The pixels, and the share of a length, by which a part may differ: another face makes a line of text wider. */
const PIXELS = 8
const SHARE = 0.06

/** Says in which parts a layout differs from the stored one. */
export const differences = (stored: Layout, now: Layout): ReadonlyArray<string> =>
  [...new Set([...Object.keys(stored), ...Object.keys(now)])].flatMap((name) => {
    const [before, after] = [stored[name], now[name]]
    if (before === undefined) return [`${name} is new`]
    if (after === undefined) return [`${name} is not read any more`]
    if (before === null || after === null) {
      return before === after ? [] : [`${name} ${after === null ? "is not shown any more" : "is shown"}`]
    }
    return [
      ...(["x", "y", "width", "height"] as const).flatMap((key) =>
        Math.abs(before[key] - after[key]) > Math.max(PIXELS, SHARE * Math.abs(before[key]))
          ? [`${name}: ${key} was ${before[key]}, and is ${after[key]}`]
          : [],
      ),
      ...(["color", "background"] as const).flatMap((key) =>
        before[key] === after[key] ? [] : [`${name}: ${key} was ${before[key]}, and is ${after[key]}`],
      ),
    ]
  })

/** Returns the pairs of parts, of those named, that lie over each other by more than a pixel. */
export const overlaps = (layout: Layout, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((one, at) =>
    names.slice(at + 1).flatMap((other) => {
      const [a, b] = [layout[one], layout[other]]
      if (!a || !b) return []
      const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
      const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
      return width > 1 && height > 1 ? [`${one} and ${other}`] : []
    }),
  )
