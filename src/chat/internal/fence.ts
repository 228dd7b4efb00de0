/** Which lines of a Markdown text stand in a fenced block, and so are an example of something rather than the thing. */

/** Tells of each line, in order, whether it belongs to a fenced block; the fences themselves do. */
export const make = (): ((line: string) => boolean) => {
  let open: string | undefined
  return (line) => {
    const [, fence = "", info = ""] = FENCE.exec(line) ?? []
    if (open === undefined) {
      // What is fenced by backticks and has one after them is code within a line.
      if (fence === "" || (fence.startsWith("`") && info.includes("`"))) return false
      open = fence
    } else if (fence.startsWith(open) && info.trim() === "") open = undefined
    return true
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/s
