/** Pastes in what a terminal sends, put together before anybody looks at them: a long one comes in thousands of pieces. */

export const START = "\x1b[200~"
export const END = "\x1b[201~"

/** Tells each paste whole, with what brackets it, to `paste`, and all else as it comes to `rest`. */
export const gather = (paste: (data: string) => void, rest: (data: string) => void): ((data: string) => void) => {
  /** Of the paste that has begun. */
  let pieces: Array<string> | undefined
  /** Where its end may have begun. */
  let last = ""

  const begin = (data: string): void => {
    const start = data.indexOf(START)
    if (start === -1) {
      rest(data)
      return
    }
    if (start > 0) rest(data.slice(0, start))
    pieces = [START]
    take(data.slice(start + START.length))
  }

  const goOn = (begun: Array<string>, data: string): void => {
    const seen = last + data
    const end = seen.indexOf(END)
    if (end === -1) {
      begun.push(data)
      last = seen.slice(1 - END.length)
      return
    }
    const length = end - last.length + END.length
    pieces = undefined
    last = ""
    paste([...begun, data.slice(0, length)].join(""))
    take(data.slice(length))
  }

  const take = (data: string): void => {
    if (data === "") return
    if (pieces === undefined) begin(data)
    else goOn(pieces, data)
  }

  return take
}
