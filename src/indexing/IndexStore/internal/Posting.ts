/** A posting: that a term occurs in a file, or in a symbol of it, and how much it tells there. A signed 32-bit number. */

// The number of the file in its block, that of the symbol in its file, and the impact.
const FILE_BITS = 11
const SYMBOL_BITS = 13
const IMPACT_BITS = 8

/** Files in a block. */
export const BLOCK = 2 ** FILE_BITS

/** Symbols of one file that can be told apart. */
export const MAX_SYMBOLS = 2 ** SYMBOL_BITS

export const MAX_IMPACT = 2 ** IMPACT_BITS - 1

/** The block that a file is in. */
export const block = (file: number): number => Math.floor(file / BLOCK)

/** `impact`: 1 to `MAX_IMPACT`. */
export const make = (file: number, symbol: number, impact: number): number =>
  ((file % BLOCK) << (SYMBOL_BITS + IMPACT_BITS)) | (symbol << IMPACT_BITS) | impact

/** The number of its file in the block. */
export const file = (posting: number): number => posting >>> (SYMBOL_BITS + IMPACT_BITS)

export const symbol = (posting: number): number => (posting >>> IMPACT_BITS) & (MAX_SYMBOLS - 1)

export const impact = (posting: number): number => posting & MAX_IMPACT

/** Whether it is about that symbol. */
export const isOf = (posting: number, ofFile: number, ofSymbol: number): boolean =>
  file(posting) === ofFile % BLOCK && symbol(posting) === ofSymbol
