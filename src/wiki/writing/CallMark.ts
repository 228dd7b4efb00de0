/** The marks of calls on a flow that requests explain once, since they stand at many of them. */

/** A function that its caller only names, such as to register it. */
export const PASSED = "only named"

/** A call in a closure. */
export const IN_CLOSURE = "in an inner function"

/** A function whose own calls stand at another place of the tree. */
export const REPEATED = "see elsewhere"
