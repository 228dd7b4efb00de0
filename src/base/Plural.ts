/** A count with its noun: `1 node`, `2 nodes`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
