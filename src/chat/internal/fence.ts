/** Finds the lines of fenced code blocks in Markdown: what they contain is an example. */

/** Takes the lines in order, and returns whether each belongs to a fenced block. The fences themselves do. */
export const make = (): ((line: string) => boolean) => {
  let open: string | undefined
  return (line) => {
    const [, fence = "", info = ""] = FENCE.exec(line) ?? []
    if (open === undefined) {
      // A backtick after the opening backticks makes it inline code.
      if (fence === "" || (fence.startsWith("`") && info.includes("`"))) return false
      open = fence
    } else if (fence.startsWith(open) && info.trim() === "") open = undefined
    return true
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/s
