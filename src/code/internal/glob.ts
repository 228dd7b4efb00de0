/** Patterns of paths as in gitattributes(5): `*.min.js`, `/libs/*`, `third/**`, `src/gen[0-9]/?.ts`. */

/**
 * Returns a function that tells whether a path matches, relative to the folder of the pattern. A pattern without a
 * slash matches a name at any depth; a pattern that matches a folder does not match the files in it, unless it ends in
 * a slash. It takes at most O(segments² × characters) for any pattern: there is no backtracking beyond the last star.
 */
export const compileGlob = (pattern: string): ((path: string) => boolean) => {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern
  const isForNames = !whole.includes("/")
  // Files are often listed one by one.
  if (!/[*?[\\]/.test(whole)) {
    const literal = whole.replace(/^\//, "")
    return (path) => path === literal || (isForNames && path.endsWith(`/${literal}`))
  }
  const segments = whole
    .replace(/^\//, "")
    .split("/")
    .map((segment) => (segment === "**" && !isForNames ? "**" : toTokens(segment)))
  return (path) => {
    const names = path.split("/")
    return matchesPath(segments, isForNames ? names.slice(-1) : names)
  }
}

/** A character, `*`, `?`, or a set. */
type Token = string | typeof STAR | ((character: string) => boolean)
const STAR = Symbol("*")

type Segment = "**" | ReadonlyArray<Token>

/** `**` matches any number of folders; at the end it matches everything inside. */
const matchesPath = (segments: ReadonlyArray<Segment>, names: ReadonlyArray<string>): boolean => {
  let [at, name, afterStars, nameAtStars] = [0, 0, -1, 0]
  while (name < names.length) {
    const segment = segments[at]
    if (segment === "**") {
      if (at === segments.length - 1) return true
      at += 1
      afterStars = at
      nameAtStars = name
    } else if (segment !== undefined && matchesName(segment, names[name] ?? "")) {
      at += 1
      name += 1
    } else if (afterStars >= 0) {
      at = afterStars
      nameAtStars += 1
      name = nameAtStars
    } else {
      return false
    }
  }
  return at === segments.length
}

const matchesName = (tokens: ReadonlyArray<Token>, text: string): boolean => {
  const name = Array.from(text)
  let [at, character, afterStar, characterAtStar] = [0, 0, -1, 0]
  while (character < name.length) {
    const token = tokens[at]
    if (token === STAR) {
      at += 1
      afterStar = at
      characterAtStar = character
    } else if (typeof token === "function" ? token(name[character] ?? "") : token === name[character]) {
      at += 1
      character += 1
    } else if (afterStar >= 0) {
      at = afterStar
      characterAtStar += 1
      character = characterAtStar
    } else {
      return false
    }
  }
  while (tokens[at] === STAR) at += 1
  return at === tokens.length
}

const toTokens = (segment: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const parts = segment.matchAll(/\\(.)|\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]|(\*+)|(\?)|(.)/gsu)
  for (const [, escaped, negation, set, stars, any, plain] of parts) {
    if (stars !== undefined) tokens.push(STAR)
    else if (any !== undefined) tokens.push(() => true)
    else if (set !== undefined) tokens.push(toSet(set, negation !== ""))
    else tokens.push(escaped ?? plain ?? "")
  }
  return tokens
}

/** Compiles a set such as `a-z_`: ranges and characters. */
const toSet = (source: string, isNegated: boolean): ((character: string) => boolean) => {
  const ranges = Array.from(
    source.matchAll(/(?:\\(.)|(.))(?:-(?:\\(.)|(.)))?/gsu),
    ([, escaped, plain, escapedEnd, plainEnd]) => {
      const first = escaped ?? plain ?? ""
      return [first, escapedEnd ?? plainEnd ?? first] as const
    },
  )
  return (character) => ranges.some(([first, last]) => first <= character && character <= last) !== isNegated
}
