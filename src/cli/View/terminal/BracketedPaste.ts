/** Joins the chunks of a bracketed paste, which may be thousands, in linear time. */

export const START = "\x1b[200~"
export const END = "\x1b[201~"

/** Passes each paste, complete with its brackets, to `onPaste`, and all other input to `onInput` at once. */
export const collect = (onPaste: (data: string) => void, onInput: (data: string) => void): ((data: string) => void) => {
  /** The chunks of an incomplete paste. */
  let chunks: Array<string> | undefined
  /** The last characters of the paste, which may be the beginning of `END`. */
  let tail = ""

  const beginPaste = (data: string): void => {
    const start = data.indexOf(START)
    if (start === -1) {
      onInput(data)
      return
    }
    if (start > 0) onInput(data.slice(0, start))
    chunks = [START]
    take(data.slice(start + START.length))
  }

  const continuePaste = (collected: Array<string>, data: string): void => {
    const seen = tail + data
    const end = seen.indexOf(END)
    if (end === -1) {
      collected.push(data)
      tail = seen.slice(1 - END.length)
      return
    }
    const length = end - tail.length + END.length
    chunks = undefined
    tail = ""
    onPaste([...collected, data.slice(0, length)].join(""))
    take(data.slice(length))
  }

  const take = (data: string): void => {
    if (data === "") return
    if (chunks === undefined) beginPaste(data)
    else continuePaste(chunks, data)
  }

  return take
}
