/**
 * Positions in a forest: the nodes that `@` names, one for each person in each folder. The commands of that person move
 * it; other people, other folders and explorations do not. A program that embeds vibe has one too, and can give its
 * users others: `Effect.locally(effect, Position.holder, { person, folder })`.
 */
import * as FiberRef from "effect/FiberRef"

/** The person and the folder to which a position belongs. */
export interface Holder {
  /** The name of the user. */
  readonly person: string
  /** An absolute path. */
  readonly folder: string
}

/** The holder in a program that embeds vibe, unless that program sets another one. No person has an empty folder. */
export const library: Holder = { person: "library", folder: "" }

/**
 * The holder of the position that this fiber reads, and that its changes move; `library` by default. If it is
 * undefined, there is no position, and changes move none.
 */
export const holder: FiberRef.FiberRef<Holder | undefined> = FiberRef.unsafeMake<Holder | undefined>(library)
