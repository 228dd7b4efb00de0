/** What changed in a text, as one hunk of a unified diff: from the first line that differs to the last. Pure. */

/** Lines around it. */
const context = 3

export const unified = (path: string, before: string, after: string): string => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const start = Math.max(0, head - context)
  const behind = Math.min(tail, context)
  const length = (lines: ReadonlyArray<string>) => lines.length - tail + behind - start
  return [
    `--- ${path}`,
    `+++ ${path}`,
    `@@ -${range(start, length(old))} +${range(start, length(fresh))} @@`,
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...fresh.slice(fresh.length - tail, fresh.length - tail + behind).map((line) => ` ${line}`),
  ].join("\n")
}

/** Counted from 1; of no lines, the line that they would follow. */
const range = (start: number, length: number): string => `${length === 0 ? start : start + 1},${length}`

/** With the mark of git behind a last line that does not end. */
const linesOf = (text: string): ReadonlyArray<string> => {
  if (text === "") return []
  const lines = text.split("\n")
  const last = lines.pop() ?? ""
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}
