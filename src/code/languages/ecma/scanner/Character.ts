/** Classes of characters: which kind of token a character begins. */

export const PUNCTUATOR = 0
export const SPACE = 1
export const LINE_BREAK = 2
export const LETTER = 3
export const DIGIT = 4
export const QUOTE = 5
export const BACKTICK = 6
export const OPEN = 7
export const CLOSE = 8
export const HASH = 9
/** The end of the text, or a character that begins no token. */
export const STOP = 10

export const ZERO = 48
export const NINE = 57

/** The class of each ASCII character. */
export const classes = new Uint8Array(128).fill(STOP)
const assign = (characterClass: number, characters: string): void => {
  for (const character of characters) classes[character.charCodeAt(0)] = characterClass
}
assign(PUNCTUATOR, "!%&*+,-./:;<=>?@^|~")
assign(SPACE, " \t\v\f")
assign(LINE_BREAK, "\n\r")
assign(LETTER, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
assign(DIGIT, "0123456789")
assign(QUOTE, "\"'")
assign(BACKTICK, "`")
assign(OPEN, "([{")
assign(CLOSE, ")]}")
assign(HASH, "#")

/** Returns the class of the character at an offset, for characters beyond ASCII. */
export const classOf = (text: string, at: number): number => {
  const point = text.codePointAt(at)
  if (point === undefined) return STOP
  const character = String.fromCodePoint(point)
  if (/[\u2028\u2029]/.test(character)) return LINE_BREAK
  if (/\s/.test(character)) return SPACE
  return /\p{ID_Start}/u.test(character) ? LETTER : STOP
}
