/** What changed in a text, as a unified diff. Pure. */
import { structuredPatch } from "diff"

/** Milliseconds after which two texts are told apart as wholes. */
const PATIENCE = 2000

/** None where nothing did. */
export const between = (name: string, before: string, after: string): string | undefined => {
  if (before === after) return undefined
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context: 3, timeout: PATIENCE })
  const head = [`--- ${name}`, `+++ ${name}`]
  if (patch === undefined) return [...head, "(too much of it changed to be shown)"].join("\n")
  return [
    ...head,
    ...patch.hunks.flatMap(({ lines, newLines, newStart, oldLines, oldStart }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]),
  ].join("\n")
}
