/**
 * Spreads answers that are members of one class. A class that matches a question as a whole would fill the list with
 * its methods, so two of them are shown, and the others come after all other answers. Pure.
 */
import * as Tokenizer from "./Tokenizer.ts"

/** A ranked symbol. */
export interface Answer {
  readonly score: number
  /** How the question names the symbol, if it does. See `Ranking.NameMatch`. */
  readonly nameMatch: unknown
  readonly row: {
    readonly file: number
    readonly kind: string
    readonly name: string
    readonly qualifiedName: string
  }
}

/** The most members of one class that stand among the other answers. */
const MAX_MEMBERS = 2

const memberKinds: ReadonlySet<string> = new Set(["method", "field"])

/**
 * Moves all members of a class but the first two to the end, in their order. Their score is at most that of the answers
 * before them. Members stay if the question names them or their class. `answers`: best first.
 */
export const spread = <A extends Answer>(answers: ReadonlyArray<A>, question: string): ReadonlyArray<A> => {
  const named = new Set(Tokenizer.splitRuns(question))
  const counts = new Map<string, number>()
  const [first, last]: [Array<A>, Array<A>] = [[], []]
  for (const answer of answers) {
    const container = containerOf(answer.row)
    const isMember = container !== "" && memberKinds.has(answer.row.kind)
    if (!isMember || answer.nameMatch !== undefined || named.has(lastPart(container))) {
      first.push(answer)
      continue
    }
    const key = `${answer.row.file} ${container}`
    const earlier = counts.get(key) ?? 0
    counts.set(key, earlier + 1)
    if (earlier < MAX_MEMBERS) first.push(answer)
    else last.push(answer)
  }
  const least = first.at(-1)?.score ?? 0
  return [...first, ...last.map((answer) => ({ ...answer, score: Math.min(answer.score, least) }))]
}

const containerOf = ({ name, qualifiedName }: Answer["row"]): string =>
  qualifiedName.slice(0, Math.max(0, qualifiedName.length - name.length - 1))

const lastPart = (qualifiedName: string): string => qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1)
