/**
 * A posting says that a term occurs in a file, or in a symbol of it, with an impact (see `Bm25`). It is one signed
 * 32-bit number: 11 bits for the file in its block, 13 for the symbol in its file, 8 for the impact. Postings of files
 * have symbol 0.
 */

const FILE_BITS = 11
const SYMBOL_BITS = 13
const IMPACT_BITS = 8

/** The number of files in a block. Files are numbered, and each block of them has posting lists of its own. */
export const FILES_PER_BLOCK = 2 ** FILE_BITS

/** The most symbols of one file that can be searched; further ones are found only by name. */
export const MAX_SYMBOLS = 2 ** SYMBOL_BITS

export const MAX_IMPACT = 2 ** IMPACT_BITS - 1

/** The block of a file. */
export const blockOf = (file: number): number => Math.floor(file / FILES_PER_BLOCK)

/** `impact`: 1 to `MAX_IMPACT`. */
export const encode = (file: number, symbol: number, impact: number): number =>
  ((file % FILES_PER_BLOCK) << (SYMBOL_BITS + IMPACT_BITS)) | (symbol << IMPACT_BITS) | impact

/** The number of the file within its block. */
export const fileInBlock = (posting: number): number => posting >>> (SYMBOL_BITS + IMPACT_BITS)

export const symbol = (posting: number): number => (posting >>> IMPACT_BITS) & (MAX_SYMBOLS - 1)

export const impact = (posting: number): number => posting & MAX_IMPACT

/** Returns whether a posting belongs to that symbol of that file, which must be of the same block. */
export const isOf = (posting: number, ofFile: number, ofSymbol: number): boolean =>
  fileInBlock(posting) === ofFile % FILES_PER_BLOCK && symbol(posting) === ofSymbol
