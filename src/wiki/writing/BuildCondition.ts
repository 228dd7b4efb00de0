/** Reads the condition under which a file is compiled at all, which stands outside of every symbol. Pure. */

/** The lines within which a condition stands: below a licence, above the code. */
const MAX_LINES = 60

/** The most characters of a condition. */
const MAX_CONDITION = 120

/** Returns whether files of this name can have such a condition, so that others need not be read. */
export const canHave = (path: string): boolean => /\.(?:go|rs)$/.test(path)

/**
 * Returns the condition of a file as it is written: `//go:build linux && !cgo` of Go, or `#![cfg(unix)]` of Rust.
 * Undefined if the file is always compiled.
 */
export const read = (path: string, text: string): string | undefined => {
  const lines = text.split("\n", MAX_LINES).map((line) => line.trim())
  const found = path.endsWith(".go") ? ofGo(lines) : path.endsWith(".rs") ? ofRust(lines) : undefined
  return found === undefined || found === "" || found.length > MAX_CONDITION ? undefined : found
}

/** The older form `// +build` has one line for each part of the condition. */
const ofGo = (lines: ReadonlyArray<string>): string | undefined => {
  const end = lines.findIndex((line) => /^package\b/.test(line))
  const head = end < 0 ? lines : lines.slice(0, end)
  const [condition] = head.flatMap((line) => /^\/\/go:build\s+(.+)$/.exec(line)?.[1] ?? [])
  const older = head.flatMap((line) => /^\/\/\s*\+build\s+(.+)$/.exec(line)?.[1] ?? [])
  return condition ?? (older.length === 0 ? undefined : older.join(" and "))
}

const ofRust = (lines: ReadonlyArray<string>): string | undefined =>
  lines.flatMap((line) => /^#!\[cfg\((.+)\)\]$/.exec(line)?.[1] ?? [])[0]

/** Writes a condition behind the name of a file; nothing for a file without one. */
export const note = (condition: string | undefined): string =>
  condition === undefined ? "" : ` (only compiled if ${condition})`
