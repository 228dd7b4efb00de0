/** Finds the offset after a word, literal or comment that begins at an offset; -1 if it does not end. */
import * as Character from "./Character.ts"
import * as Token from "./Token.ts"

export const word = (text: string, from: number): number => {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    const characterClass = Character.classes[code]
    if (characterClass === Character.LETTER || characterClass === Character.DIGIT) continue
    // This is for words of other scripts: ASCII characters need no regular expression.
    return code >= 128 ? endOf(/[\p{ID_Continue}$\u200c\u200d]*/uy, text, from) : at
  }
}

export const number = (text: string, from: number): number =>
  endOf(/0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?n?/y, text, from)

const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from + 1
}

export const line = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

export const block = (text: string, from: number): number => {
  const end = text.indexOf("*/", from + 2)
  return end === -1 ? -1 : end + 2
}

/** Returns the offset after a string. `from` is the opening quote; -1 if the string does not end on its line. */
export const string = (text: string, from: number): number => {
  const quote = text.charCodeAt(from)
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === 0x5c) {
      // A line break of two characters is escaped as one.
      if (text.charCodeAt(++at) === 0x0d && text.charCodeAt(at + 1) === 0x0a) at++
    } else if (code === 0x0a || code === 0x0d) return -1
  }
  return -1
}

/** Returns the offset after the next `${` of a template, or after its closing backtick; -1 if there is neither. */
export const template = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x60) return at + 1
    if (code === 0x5c) at++
    else if (code === 0x24 && text.charCodeAt(at + 1) === Token.OPEN_BRACE) return at + 2
  }
  return -1
}

/** Returns the offset after a regular expression and its flags; -1 if it does not end on its line. */
export const pattern = (text: string, from: number): number => {
  let isClass = false
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) return -1
    if (code === 0x5c) at++
    else if (code === Token.OPEN_BRACKET) isClass = true
    else if (code === Token.CLOSE_BRACKET) isClass = false
    else if (code === Token.SLASH && !isClass) return word(text, at + 1)
  }
  return -1
}
