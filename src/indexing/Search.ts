/** How questions and code meet: the words that both are taken apart into, and what makes one symbol a better answer. */

/**
 * The words of a text, in lower case: identifiers taken apart at case, digits and underscores, and whole as well
 * (`readFile2` → `read`, `file`, `2`, `readfile2`).
 */
export const words = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  for (const [run] of text.normalize("NFC").matchAll(runs)) {
    const parts = run.match(partsOfRun) ?? []
    for (const part of parts) words.push(part.toLowerCase())
    if (parts.length > 1) words.push(run.replaceAll("_", "").toLowerCase())
  }
  return words
}

const runs = /[\p{L}\p{M}\p{N}_]+/gu

/** `HTTPServer` → `HTTP`, `Server`. */
const partsOfRun = /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+/gu

/** The words of a question that say something, each once; none for a question without any. */
export const terms = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(words(question)))
    .filter((word) => !stopWords.has(word))
    .slice(0, MAX_TERMS)

/** More than a person writes, and far below what FTS5 can take. */
const MAX_TERMS = 64

const stopWords: ReadonlySet<string> = new Set(
  (
    "a about all also an and any are as at be been being between by can could did do does each for from had has have " +
    "how i if in into is it its me more most my no not of on or other our over per s should so some such t than that " +
    "the their them then there these they this those through to under up use used uses using via was we were what " +
    "when where which while who why will with within without would you your"
  ).split(" "),
)

/** Any of the terms, for FTS5: in quotes, nothing is syntax. */
export const expression = (terms: ReadonlyArray<string>): string => terms.map((term) => `"${term}"`).join(" OR ")

/** What in a question looks like a name out of code, and not like a plain word. */
export const names = (question: string): ReadonlyArray<string> =>
  Array.from(
    new Set(Array.from(question.matchAll(paths), ([path]) => path).filter((path) => codeLike.test(path))),
  ).slice(0, MAX_TERMS)

const paths = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu

/** `readFile`, `HTTPServer`, `read_file`, `Forest.append`, `$emit`. */
const codeLike = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[_$.]/u

/** A symbol that comes into question. */
export interface Candidate {
  readonly id: number
  readonly file: number
  readonly path: string
  readonly usedBy: number
  /** How well its words match, by BM25; 0 where none does. */
  readonly match: number
  /** The question is its name, or says it among other words. */
  readonly named: "alone" | "within" | undefined
}

export interface Ranked {
  readonly id: number
  readonly score: number
}

/**
 * Best first. A symbol counts for its own words, for those of its file (`fileMatches`, by BM25) and for the best of
 * its neighbours: what is asked for is mostly near other things that match. Measured on the development questions of
 * the retrieval benchmark; the numbers are round because the optimum is flat.
 */
export const rank = (
  question: string,
  candidates: ReadonlyArray<Candidate>,
  fileMatches: ReadonlyMap<number, number>,
): ReadonlyArray<Ranked> => {
  const best = new Map<number, number>()
  for (const { file, match } of candidates) best.set(file, Math.max(match, best.get(file) ?? 0))
  const aside = asksForTests.test(question) ? 0.75 : 0.5
  const scored = candidates
    .map(({ file, id, match, named, path, usedBy }) => {
      const near = (fileMatches.get(file) ?? 0) + (best.get(file) ?? 0) / 2
      const place = isAside(path) ? aside : 1
      const use = 1 + 0.02 * Math.log1p(usedBy)
      return { id, file, named, score: (match + near) * place * use * (named === "within" ? 1.5 : 1) }
    })
    .sort(byScore)
  const most = scored[0]?.score ?? 0
  return spread(scored)
    .map(({ id, named, score }) => ({ id, score: named === "alone" ? score + most + 1 : score }))
    .sort(byScore)
}

/** Each further answer from one file counts a little less, so that ten answers do not all come from one. */
const spread = <A extends { readonly file: number; readonly score: number }>(scored: ReadonlyArray<A>) => {
  const seen = new Map<number, number>()
  return scored.map((candidate) => {
    const earlier = seen.get(candidate.file) ?? 0
    seen.set(candidate.file, earlier + 1)
    return { ...candidate, score: candidate.score * 0.88 ** earlier }
  })
}

const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.id - other.id

/** Tests, documentation, examples, benchmarks: about the code rather than the code itself. */
export const isAside = (path: string): boolean => asides.test(path)

const asides =
  /(?:^|\/)(?:__tests__|tests?|testing|specs?|e2e|docs?|examples?|bench(?:marks?)?)\/|(?:^|\/)(?:test_|conftest\.)|[._-](?:test|spec|bench)\.\w+$/i

const asksForTests = /\b(?:tests?|testing|specs?)\b/i

/**
 * How unlike a symbol is to one that was asked for and not found; none where it is too unlike to be meant. 0: but for
 * case; below 2: a slip of the pen; then what begins like it, and what has it in it.
 */
export const unlikeness = (asked: string, name: string, qualifiedName: string): number | undefined => {
  const wanted = asked
    .replace(/\(.*$/s, "")
    .replaceAll(/::|->|#/g, ".")
    .toLowerCase()
  const last = wanted.slice(wanted.lastIndexOf(".") + 1)
  const alone = difference(last, name.toLowerCase())
  if (last === wanted) return alone
  const whole = difference(wanted, qualifiedName.toLowerCase())
  // Right but for where it stands.
  const elsewhere = alone === undefined ? undefined : alone + 1
  return whole === undefined || elsewhere === undefined ? (whole ?? elsewhere) : Math.min(whole, elsewhere)
}

const difference = (wanted: string, name: string): number | undefined => {
  const edits = distance(wanted, name, Math.max(1, Math.floor(wanted.length / 3)))
  if (edits !== undefined) return edits
  if (Math.min(wanted.length, name.length) < 3) return undefined
  const surplus = Math.abs(wanted.length - name.length) / 1000
  if (name.startsWith(wanted) || wanted.startsWith(name)) return 2 + surplus
  return name.includes(wanted) || wanted.includes(name) ? 3 + surplus : undefined
}

/** Letters to add, drop or change to make one word the other (Levenshtein); none where more than `most`. */
const distance = (one: string, other: string, most: number): number | undefined => {
  if (Math.abs(one.length - other.length) > most) return undefined
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return undefined
    row = next
  }
  const edits = row[other.length] ?? 0
  return edits > most ? undefined : edits
}
