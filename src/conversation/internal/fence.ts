/** Finds the lines of fenced code blocks in Markdown, because their content is an example. */

export type LineKind = "text" | "opens" | "inside" | "closes"

/** Makes a function that takes the lines in order, and returns the role of each in a fenced block. */
export const kinds = (): ((line: string) => LineKind) => {
  let open: string | undefined
  return (line) => {
    const [, fence = "", info = ""] = FENCE.exec(line) ?? []
    if (open === undefined) {
      // A backtick after the opening backticks makes it inline code.
      if (fence === "" || (fence.startsWith("`") && info.includes("`"))) return "text"
      open = fence
      return "opens"
    }
    if (!fence.startsWith(open) || info.trim() !== "") return "inside"
    open = undefined
    return "closes"
  }
}

/**
 * Makes a function that takes the lines in order, and returns whether each belongs to a fenced block. The fences
 * themselves belong to it.
 */
export const make = (): ((line: string) => boolean) => {
  const kindOf = kinds()
  return (line) => kindOf(line) !== "text"
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/s
