/**
 * Positions in a forest: the node that `@` names, one for each person in each folder. The commands of that person move it;
 * other people, other folders and explorations do not.
 */
import * as FiberRef from "effect/FiberRef"

/** The person and the folder that a position belongs to. */
export interface Holder {
  /** The name of the user. */
  readonly person: string
  /** An absolute path. */
  readonly folder: string
}

/** The holder of the position that this fiber reads, and that its changes move; undefined where there is none. */
export const holder: FiberRef.FiberRef<Holder | undefined> = FiberRef.unsafeMake<Holder | undefined>(undefined)
