/** Which paths ignore files leave out: gitignore(5), with the `ignore` package under it. */
import ignore, { type Ignore } from "ignore"

/** What holds for the entries of one folder. Paths are relative to the top of the checkout, with `/`. */
export interface IgnoreRules {
  /** Of git, the outermost folder first: of two rules that match, the later one wins. */
  readonly git: Ignore
  /** Of vibe, in the same order. */
  readonly vibe: Ignore
  /** Both: vibe's win, wherever they stand. */
  readonly all: Ignore
}

// Case counts, as it does for git on Linux: a rule for `Lib/` says nothing about `lib/`.
const none = () => ignore({ ignoreCase: false })

export const empty: IgnoreRules = { git: none(), vibe: none(), all: none() }

/** With the ignore files of `folder` (`""` for the top), given as their texts. */
export const extend = (
  outer: IgnoreRules,
  folder: string,
  texts: { readonly git: string; readonly vibe: string },
): IgnoreRules => {
  if (texts.git === "" && texts.vibe === "") return outer
  const git = none().add(outer.git).add(patterns(folder, texts.git))
  const vibe = none().add(outer.vibe).add(patterns(folder, texts.vibe))
  return { git, vibe, all: none().add(git).add(vibe) }
}

/** Whether a path is left out. All that lies in an ignored folder is, whatever other rules say about it. */
export const ignores = (rules: IgnoreRules, path: string, kind: "file" | "folder"): boolean =>
  rules.all.ignores(kind === "folder" ? `${path}/` : path)

/** The lines of an ignore file, rewritten to mean the same when they are read at the top. */
const patterns = (folder: string, text: string): ReadonlyArray<string> => {
  const lines = text.split(/\r?\n/).flatMap(bounded)
  if (folder === "") return lines
  const prefix = `/${folder.replaceAll(/[\\*?[\]]/g, "\\$&")}`
  return lines.flatMap((line) => {
    const negation = line.startsWith("!") ? "!" : ""
    const pattern = line.slice(negation.length)
    const plain = pattern.replace(/^\//, "")
    if (line.startsWith("#") || plain.trim() === "") return []
    // A slash before the end ties a pattern to its folder; the others match at any depth.
    const tied = pattern.trimEnd().slice(0, -1).includes("/")
    return [`${negation}${prefix}/${tied ? "" : "**/"}${plain}`]
  })
}

/** Each `**` multiplies the time for a path by its depth: six of them took half a minute for a single one. */
const mostGlobstars = 3

/**
 * Without `**` that says nothing after another. One that has too many keeps out all that lies below the last that
 * counts, rather than too little; if it would let something in, it says nothing.
 */
const bounded = (line: string): ReadonlyArray<string> => {
  const segments = line.split("/").filter((segment, i, all) => !(isGlobstar(segment) && isGlobstar(all[i - 1])))
  const globstars = segments.flatMap((segment, i) => (isGlobstar(segment) ? [i] : []))
  if (globstars.length <= mostGlobstars) return [segments.join("/")]
  return line.startsWith("!") ? [] : [segments.slice(0, (globstars[mostGlobstars - 1] ?? 0) + 1).join("/")]
}

const isGlobstar = (segment: string | undefined): boolean => segment !== undefined && /^\*{2,}$/.test(segment)
