/**
 * What plain lexical search finds: BM25 over whole files, and over their definitions (of Python) or windows of 40 lines
 * (of other languages). A file scores its own sum and that of its best piece; tests, documents and examples count half.
 * These weights were chosen on the questions of this folder, so the floor is a little flattered by them.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface Place {
  readonly path: string
  readonly symbol: string
  readonly startLine: number
  readonly endLine: number
}

interface Piece extends Place {
  readonly text: string
}

const codeEndings = new Set(
  ".py .pyi .ts .tsx .mts .cts .js .jsx .mjs .cjs .go .rs .java .kt .kts .swift .rb .php .cs .c .h .cc .cpp .hpp .m .scala .lua .ex .exs .vue .svelte".split(
    " ",
  ),
)
const skipped = new Set("node_modules bower_components __pycache__ .tox .venv venv dist coverage".split(" "))
const demoted =
  /(^|\/)(tests?|testing|docs?|examples?|benchmarks?|asv_bench)(\/|$)|(^|\/)test_|_test\.\w+$|conftest\.py$|\.(test|spec)\.\w+$/

const stopWords = new Set(
  "the a an of to in on for and or is are be with from by as at this that it its if not how do does did i can you we they use using what which when where why who would should could has have had been being into than then there their them these those was were will also such per via any all each other more most so only".split(
    " ",
  ),
)
const endings = ["ization", "ations", "ation", "ingly", "ing", "edly", "ers", "ies", "ied", "ed", "er", "es", "s"]

const stem = (word: string): string => {
  const ending = endings.find((part) => word.endsWith(part) && word.length - part.length >= 3)
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** Split at camel case, snake case and digits, without stop words, lightly stemmed. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const parts = text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z]+|\d+/g)
  return (parts ?? []).filter((part) => !stopWords.has(part)).map(stem)
}

/** The score of each document that shares a word with the query, by its number. */
type Scorer = (query: string) => Map<number, number>

const K1 = 1.2
const B = 0.75

const scorer = (documents: ReadonlyArray<string>): Scorer => {
  const lengths: Array<number> = []
  const postings = new Map<string, Array<readonly [document: number, count: number]>>()
  documents.forEach((document, index) => {
    const words = wordsOf(document)
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    lengths.push(words.length)
    for (const [word, count] of counts) {
      const list = postings.get(word) ?? []
      if (list.length === 0) postings.set(word, list)
      list.push([index, count])
    }
  })
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length))
  return (query) => {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query))) {
      const list = postings.get(word) ?? []
      const idf = Math.log(1 + (lengths.length - list.length + 0.5) / (list.length + 0.5))
      for (const [index, count] of list) {
        const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / average)
        scores.set(index, (scores.get(index) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
      }
    }
    return scores
  }
}

/** Paths of the files of code below a folder, in order. */
export const codeFiles = (root: string, folder = ""): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name)
      if (entry.name.startsWith(".") || skipped.has(entry.name)) return []
      if (entry.isDirectory()) return codeFiles(root, file)
      const isCode = entry.isFile() && codeEndings.has(path.extname(entry.name))
      return isCode && fs.statSync(path.join(root, file)).size <= 1_000_000 ? [file] : []
    })
    .sort()

/** Functions and classes of a Python file, by indentation; of a class the first 40 lines. */
const pythonPieces = (file: string, text: string): ReadonlyArray<Piece> => {
  const lines = text.split("\n")
  const found: Array<{ symbol: string; startLine: number; endLine: number; isClass: boolean }> = []
  const open: Array<{ readonly indent: number; readonly entry: (typeof found)[number] }> = []
  const close = (indent: number, last: number) => {
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) {
      const ended = open.pop()
      if (ended !== undefined) ended.entry.endLine = last
    }
  }
  let lastCode = 0
  let quote: string | undefined
  lines.forEach((line, index) => {
    const isInString = quote !== undefined
    for (const mark of line.match(/"""|'''/g) ?? [])
      quote = quote === undefined ? mark : quote === mark ? undefined : quote
    const trimmed = line.trimStart()
    if (isInString || trimmed === "" || trimmed.startsWith("#")) {
      if (isInString) lastCode = index + 1
      return
    }
    const indent = line.length - trimmed.length
    if (!/^[)\]}]/.test(trimmed)) close(indent, lastCode)
    lastCode = index + 1
    const [, keyword, name] = /^\s*(async\s+def|def|class)\s+([A-Za-z_]\w*)/.exec(line) ?? []
    if (name === undefined) return
    const outer = open.map(({ entry }) => entry.symbol.split(".").at(-1))
    const symbol = [...outer, name].join(".")
    const entry = { symbol, startLine: index + 1, endLine: index + 1, isClass: keyword === "class" }
    found.push(entry)
    open.push({ indent, entry })
  })
  close(0, lastCode)
  return found.map(({ endLine, isClass, startLine, symbol }) => {
    const last = isClass ? Math.min(endLine, startLine + 40) : endLine
    return { path: file, symbol, startLine, endLine, text: lines.slice(startLine - 1, last).join("\n") }
  })
}

/** Overlapping windows of 40 lines. */
const windows = (file: string, text: string): ReadonlyArray<Piece> => {
  const lines = text.split("\n")
  return Array.from({ length: Math.ceil(lines.length / 20) }, (_, i) => {
    const endLine = Math.min(lines.length, i * 20 + 40)
    return { path: file, symbol: "", startLine: i * 20 + 1, endLine, text: lines.slice(i * 20, endLine).join("\n") }
  })
}

/** Best first; equal scores in the order of documents. */
const best = (scores: ReadonlyMap<number, number>, most: number): ReadonlyArray<number> =>
  [...scores]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most)
    .map(([index]) => index)

export interface Answer {
  readonly files: ReadonlyArray<string>
  readonly symbols: ReadonlyArray<Place>
}

/** Reads the checkout once; each question is answered from memory, with as many files and symbols at most. */
export const open = (root: string): ((question: string, most: number) => Answer) => {
  const files = codeFiles(root).toSorted()
  const texts = files.map((file) => fs.readFileSync(path.join(root, file), "utf8"))
  const whole = scorer(texts.map((text, i) => `${`${files[i]} `.repeat(3)}${text}`))
  const owners: Array<number> = []
  const pieces = files.flatMap((file, i) => {
    const found = (file.endsWith(".py") ? pythonPieces : windows)(file, texts[i] ?? "")
    for (const _ of found) owners.push(i)
    return found
  })
  const parts = scorer(pieces.map((piece) => `${piece.path} ${piece.symbol} ${piece.symbol} ${piece.text}`))
  const weights = files.map((file) => (demoted.test(file) ? 0.5 : 1))
  const weigh = (scores: ReadonlyMap<number, number>, owner: (index: number) => number) =>
    new Map([...scores].map(([i, score]) => [i, score * (weights[owner(i)] ?? 1)] as const))
  return (question, most) => {
    const fileScores = weigh(whole(question), (i) => i)
    const pieceScores = weigh(parts(question), (i) => owners[i] ?? 0)
    const bestPieces = new Map<number, number>()
    for (const [i, score] of pieceScores)
      bestPieces.set(owners[i] ?? 0, Math.max(bestPieces.get(owners[i] ?? 0) ?? 0, score))
    for (const [i, score] of bestPieces) fileScores.set(i, (fileScores.get(i) ?? 0) + score)
    return {
      files: best(fileScores, most).flatMap((i) => files[i] ?? []),
      symbols: best(pieceScores, most).flatMap((i) => pieces[i] ?? []),
    }
  }
}
