/**
 * Thinking that a server left among the words of its model, between `<think>` and `</think>`, as templates of open
 * models write it. Only what an answer begins with counts: further on a model may be speaking of these tags. Pure.
 */

export interface State {
  /**
   * - `start`: nothing has been said
   * - `thinking`: the tag was opened
   * - `after`: it was closed, and no word has come
   * - `speaking`: all is words from here on
   */
  readonly at: "start" | "thinking" | "after" | "speaking"
  /** What may be the beginning of a tag, or of the white space around one. */
  readonly pending: string
}

export const start: State = { at: "start", pending: "" }

export interface Piece {
  readonly thinking: boolean
  readonly text: string
}

/** What `text` adds to what was seen before. A closing tag that nothing opened, alone on its line, ends thinking, too. */
export const step = (state: State, text: string): readonly [State, ReadonlyArray<Piece>] => {
  switch (state.at) {
    case "speaking":
      return [state, words(text)]
    case "after":
      return afterwards(text)
    case "thinking":
      return think(state.pending + text)
    case "start":
      return begin(state.pending + text)
  }
}

/** What is left, once all has been said. */
export const end = ({ at, pending }: State): ReadonlyArray<Piece> => said(at === "thinking", pending)

const opening = "<think>"

const closing = "</think>"

/** The closing tag, with nothing else on its line. */
const alone = /(?<=^|\n)[^\S\n]*<\/think>[^\S\n]*(?:$|\n)/

/** In characters: an answer that begins with more white space than this is said as it comes. */
const longestPending = 256

const begin = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  if (trimmed.startsWith(opening)) return think(trimmed.slice(opening.length))
  if (text.length <= longestPending && (opening.startsWith(trimmed) || closing.startsWith(trimmed))) {
    return [{ at: "start", pending: text }, []]
  }
  // It was opened where we cannot see it: in the template of the prompt.
  if (alone.test(text) && !text.includes(opening)) return think(text)
  return [{ at: "speaking", pending: "" }, words(text)]
}

const think = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const close = text.indexOf(closing)
  if (close === -1) {
    const pending = tagAtEnd(text)
    return [{ at: "thinking", pending }, said(true, text.slice(0, text.length - pending.length))]
  }
  const [state, pieces] = afterwards(text.slice(close + closing.length))
  return [state, [...said(true, text.slice(0, close)), ...pieces]]
}

/** Between the thinking and the words there are empty lines, which are neither. */
const afterwards = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  return trimmed === "" ? [{ at: "after", pending: "" }, []] : [{ at: "speaking", pending: "" }, words(trimmed)]
}

/** As much of the end as may be the beginning of the closing tag. */
const tagAtEnd = (text: string): string => {
  const at = text.lastIndexOf("<")
  return at !== -1 && closing.startsWith(text.slice(at)) ? text.slice(at) : ""
}

const words = (text: string) => said(false, text)

const said = (thinking: boolean, text: string): ReadonlyArray<Piece> => (text === "" ? [] : [{ thinking, text }])
