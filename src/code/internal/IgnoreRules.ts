/** The rules of gitignore(5), which decide which paths are ignored, on the `ignore` package. */
import ignore, { type Ignore } from "ignore"

/** The rules for the entries of one folder. Paths are relative to the top of the checkout, with `/`. */
export interface IgnoreRules {
  /** The rules of `.gitignore` files, the outermost folder first. If two rules match, the later one wins. */
  readonly git: Ignore
  /** The rules of `.vibeignore` files, in the same order. */
  readonly vibe: Ignore
  /** The rules of both: those of `.vibeignore` take precedence over all of `.gitignore`. */
  readonly all: Ignore
}

// Case-sensitive, as Git on Linux: a rule for `Lib/` does not match `lib/`.
const none = () => ignore({ ignoreCase: false })

export const empty: IgnoreRules = { git: none(), vibe: none(), all: none() }

/** Adds the ignore files of `folder` (`""` for the top), given as their texts. */
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

/** Returns whether a path is ignored. Everything in an ignored folder is, whatever other rules say. */
export const ignores = (rules: IgnoreRules, path: string, kind: "file" | "folder"): boolean =>
  rules.all.ignores(kind === "folder" ? `${path}/` : path)

/** Returns the lines of an ignore file, rewritten to mean the same relative to the top of the checkout. */
const patterns = (folder: string, text: string): ReadonlyArray<string> => {
  const lines = text.split(/\r?\n/).flatMap(limitGlobstars)
  if (folder === "") return lines
  const prefix = `/${folder.replaceAll(/[\\*?[\]]/g, "\\$&")}`
  return lines.flatMap((line) => {
    const negation = line.startsWith("!") ? "!" : ""
    const pattern = line.slice(negation.length)
    const plain = pattern.replace(/^\//, "")
    if (line.startsWith("#") || plain.trim() === "") return []
    // A slash before the end anchors a pattern to its folder; other patterns match at any depth.
    const isAnchored = pattern.trimEnd().slice(0, -1).includes("/")
    return [`${negation}${prefix}/${isAnchored ? "" : "**/"}${plain}`]
  })
}

/**
 * The most `**` of a pattern. Each multiplies the time for a path by its depth: six of them take half a minute for one
 * path.
 */
const MAX_GLOBSTARS = 3

/**
 * Removes redundant `**`. A pattern with too many is cut after the last one that counts, so that it ignores more rather
 * than less; a negated one is dropped.
 */
const limitGlobstars = (line: string): ReadonlyArray<string> => {
  const segments = line.split("/").filter((segment, i, all) => !(isGlobstar(segment) && isGlobstar(all[i - 1])))
  const globstars = segments.flatMap((segment, i) => (isGlobstar(segment) ? [i] : []))
  if (globstars.length <= MAX_GLOBSTARS) return [segments.join("/")]
  return line.startsWith("!") ? [] : [segments.slice(0, (globstars[MAX_GLOBSTARS - 1] ?? 0) + 1).join("/")]
}

const isGlobstar = (segment: string | undefined): boolean => segment !== undefined && /^\*{2,}$/.test(segment)
