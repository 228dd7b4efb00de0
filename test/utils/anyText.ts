import { FastCheck } from "effect"

/**
 * Makes texts of any characters. `FastCheck.string({ unit: "binary" })` makes the same, with a table of all 1.1 million
 * characters: in each thread that takes a second and 80 MB, which every garbage collection goes through.
 */
export const anyText = FastCheck.fullUnicodeString
