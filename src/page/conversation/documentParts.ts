/**
 * Finds the new texts of the document in an answer, which are shown folded, since the document beside it has them.
 * Pure.
 */

interface Part {
  readonly kind: "text" | "document"
  readonly text: string
}

/**
 * Splits an answer at its documents, which are between a line `<document>` and a line `</document>`, or the end of an
 * answer in progress.
 */
export const findDocuments = (answer: string): ReadonlyArray<Part> => {
  if (!answer.includes("<document>")) return [{ kind: "text", text: answer }]
  const parts: Array<Part> = []
  const open: { kind: Part["kind"]; lines: Array<string> } = { kind: "text", lines: [] }
  const end = (next: Part["kind"]) => {
    const { kind, lines } = open
    if (kind === "document" || lines.some((line) => line.trim() !== "")) parts.push({ kind, text: lines.join("\n") })
    open.kind = next
    open.lines = []
  }
  for (const line of answer.split("\n")) {
    if (open.kind === "text" && /^<document>\r?$/.test(line)) end("document")
    else if (open.kind === "document" && /^<\/document>\s*$/.test(line)) end("text")
    else open.lines.push(line)
  }
  end("text")
  return parts
}
