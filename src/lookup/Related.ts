/** The members of a class and the callees of a function that are worth naming in the answer to a question. */
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Callee } from "../index/IndexStore.ts"
import * as Question from "../search/Question.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

export interface Related {
  /** The best first. Equally good ones keep the order of the file, or of the calls. */
  readonly named: ReadonlyArray<IndexEntry>
  /** How many there are besides those named. */
  readonly others: number
}

export const none: Related = { named: [], others: 0 }

/** The most symbols that are named. */
const MOST = 6

/**
 * Chooses the members of a symbol among those of its file: those named in the words of the question first, then methods
 * and other symbols with a body, then those that more files use, then the longer ones.
 */
export const membersOf = (entry: IndexEntry, inFile: ReadonlyArray<IndexEntry>, question: string): Related => {
  const members = inFile.filter(({ container }) => container === entry.qualifiedName)
  return choose(members, question, (member) => [
    Number(!plainKinds.has(member.kind)) + Number(!/^[_#]/.test(member.name)),
    member.usedBy,
    member.endLine - member.startLine,
  ])
}

/**
 * Chooses functions, methods and classes that a symbol calls. Those named in the words of the question come first, and
 * classes that it only names, mostly as types, come last. `lineOf`: the text of a line of its file, from 1.
 */
export const calleesOf = (
  entry: IndexEntry,
  callees: ReadonlyArray<Callee>,
  question: string,
  lineOf: (line: number) => string,
): Related => {
  const isItself = (other: IndexEntry) => other.path === entry.path && other.qualifiedName === entry.qualifiedName
  const called = callees.filter(({ entry: other }) => calledKinds.has(other.kind) && !isItself(other))
  const isCalled = ({ entry: { kind, name }, lines }: Callee) =>
    kind !== "class" || lines.some((line) => constructs(lineOf(line), name))
  const [calls, types] = [called.filter(isCalled), called.filter((callee) => !isCalled(callee))]
  const entriesOf = (chosen: ReadonlyArray<Callee>) => chosen.map(({ entry }) => entry)
  const first = choose(entriesOf(calls), question, () => [])
  const last = choose(entriesOf(types), question, () => [])
  const named = [...first.named, ...last.named].slice(0, MOST)
  return { named, others: called.length - named.length }
}

/** Returns whether a line makes an instance of the class. The index keeps that a name is used, not how. */
const constructs = (line: string, name: string): boolean => {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
    if (!/\w$/.test(before) && !/^\w/.test(after) && (/^\s*\(/.test(after) || /\bnew\s+(?:\w+\.)*$/.test(before)))
      return true
  }
  return false
}

/** They have no body. */
const plainKinds: ReadonlySet<string> = new Set(["field", "constant", "variable"])

const calledKinds: ReadonlySet<string> = new Set(["function", "method", "class"])

/** `rank`: higher numbers first, after the words of the question. */
const choose = (
  symbols: ReadonlyArray<IndexEntry>,
  question: string,
  rank: (symbol: IndexEntry) => ReadonlyArray<number>,
): Related => {
  const weights = new Map(Question.parse(question).terms.map(({ term, weight }) => [term, weight]))
  const asked = (symbol: IndexEntry) =>
    Tokenizer.terms(symbol.name).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const named = symbols
    .map((symbol) => ({ symbol, rank: [asked(symbol), ...rank(symbol)] }))
    .sort(({ rank: one }, { rank: other }) => compare(other, one))
    .slice(0, MOST)
    .map(({ symbol }) => symbol)
  return { named, others: symbols.length - named.length }
}

/** Compares by the first number that differs. */
const compare = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number =>
  one.map((number, at) => number - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
