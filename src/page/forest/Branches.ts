/**
 * The shape of a conversation: its branches, each a run of messages that ends where it parts, and the rows in which a
 * picture shows them. Pure except for `read`, which is given its requests.
 */
import type { Forest } from "../Client.ts"

type Row = Forest.Row

/** Messages that follow each other. `count` counts them; with `isCut` there are more. */
export interface Branch {
  readonly first: Row
  readonly last: Row
  readonly ids: ReadonlyArray<string>
  readonly isCut: boolean
  readonly parts: ReadonlyArray<Branch>
  /** The number of further branches where it parts, which were not read. */
  readonly more: number
}

export interface Requests {
  /** The messages that follow one, up to the next branch. */
  readonly run: (of: string) => Promise<ReadonlyArray<Row>>
  readonly children: (of: string) => Promise<ReadonlyArray<Row>>
}

/** The most branches of a picture: more are a list, not a picture. */
const MAX_BRANCHES = 40
/** The most branches that are shown where a conversation parts. */
const MAX_PARTS = 8
/** The most requests for the messages of one branch. */
const MAX_RUNS = 4

/** Reads the branches from a message on, the oldest first. A picture of many branches ends with the first of them. */
export const read = async (from: Row, { children, run }: Requests): Promise<Branch> => {
  let room = MAX_BRANCHES
  const readBranch = async (first: Row): Promise<Branch> => {
    room--
    const rows = [first]
    let last = first
    for (let times = 0; last.children === 1 && times < MAX_RUNS; times++) {
      const next = await run(last.id)
      if (next.length === 0) break
      rows.push(...next)
      last = next.at(-1) ?? last
    }
    const found = last.children > 1 && room > 0 ? await children(last.id) : []
    const parts: Array<Branch> = []
    for (const child of found.slice(0, MAX_PARTS)) if (room > 0) parts.push(await readBranch(child))
    return {
      first,
      last,
      ids: rows.map(({ id }) => id),
      isCut: last.children === 1,
      parts,
      more: last.children > 1 ? last.children - parts.length : 0,
    }
  }
  return readBranch(from)
}

/** A row of the picture: a branch, in a lane, and the lane of the branch that it parts from. */
export interface Lane {
  readonly branch: Branch
  readonly lane: number
  readonly row: number
  /** The row of the branch that it parts from; undefined for the first. */
  readonly from: number | undefined
  /** True if the path to the active message goes through it. */
  readonly isOnPath: boolean
  /** True if the active message is in it. */
  readonly isHere: boolean
}

const has = (branch: Branch, id: string | undefined): boolean =>
  id !== undefined && (branch.ids.includes(id) || branch.parts.some((part) => has(part, id)))

/** Places each branch below the one that it parts from, and one lane to the right of it. */
export const toLanes = (root: Branch, active: string | undefined): ReadonlyArray<Lane> => {
  const lanes: Array<Lane> = []
  const add = (branch: Branch, lane: number, from: number | undefined) => {
    const row = lanes.length
    const isHere = active !== undefined && branch.ids.includes(active)
    lanes.push({ branch, lane, row, from, isOnPath: has(branch, active), isHere })
    for (const part of branch.parts) add(part, lane + 1, row)
  }
  add(root, 0, undefined)
  return lanes
}
