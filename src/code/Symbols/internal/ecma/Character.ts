/** What a character begins. */

export const MARK = 0
export const SPACE = 1
export const BREAK = 2
export const LETTER = 3
export const DIGIT = 4
export const QUOTE = 5
export const TICK = 6
export const OPEN = 7
export const CLOSE = 8
export const HASH = 9
/** The end of the text, or what begins no token. */
export const STOP = 10

export const ZERO = 48
export const NINE = 57

/** What a character begins, by its code. */
export const sorts = new Uint8Array(128).fill(STOP)
const begin = (sort: number, characters: string): void => {
  for (const character of characters) sorts[character.charCodeAt(0)] = sort
}
begin(MARK, "!%&*+,-./:;<=>?@^|~")
begin(SPACE, " \t\v\f")
begin(BREAK, "\n\r")
begin(LETTER, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
begin(DIGIT, "0123456789")
begin(QUOTE, "\"'")
begin(TICK, "`")
begin(OPEN, "([{")
begin(CLOSE, ")]}")
begin(HASH, "#")

/** Of a character beyond ASCII. */
export const sortOf = (text: string, at: number): number => {
  const point = text.codePointAt(at)
  if (point === undefined) return STOP
  const character = String.fromCodePoint(point)
  if (/[\u2028\u2029]/.test(character)) return BREAK
  if (/\s/.test(character)) return SPACE
  return /\p{ID_Start}/u.test(character) ? LETTER : STOP
}
