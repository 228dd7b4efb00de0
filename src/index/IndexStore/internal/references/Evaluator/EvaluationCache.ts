/**
 * The cache of an `Evaluator`: results that are kept, expressions that are being evaluated, and the files that were
 * read for them. It knows nothing of what an expression means.
 */

/** The most expressions that depend on each other; deeper ones are unknown. */
export const MAX_DEPTH = 60

/** The most results that are kept. */
const MAX_KEPT = 50_000

export interface EvaluationCache<Value> {
  /**
   * Returns the value of an expression of a file, as it was kept or as `compute` returns it. An expression that depends
   * on itself, or on too many others, is unknown.
   */
  readonly valueOf: (
    file: number,
    expression: string,
    compute: (file: number, expression: string) => Value | undefined,
  ) => Value | undefined
  /** Notes that a file is read for the expressions that are being evaluated. */
  readonly noteRead: (file: number) => void
  /** Returns the files that were read since the last call. */
  readonly takeRead: () => ReadonlyArray<number>
  /** Forgets the results of a file. */
  readonly forget: (file: number) => void
}

interface Result<Value> {
  readonly value: Value | undefined
  readonly read: ReadonlyArray<number>
}

export const make = <Value>(): EvaluationCache<Value> => {
  /** Results by file and expression. */
  const results = new Map<number, Map<string, Result<Value>>>()
  let kept = 0
  /** The depth of each expression that is being evaluated. */
  const active = new Map<string, number>()
  /** The files that were read, in the order of the evaluation; some more than once. */
  let read: Array<number> = []
  /** The outermost expression on which an unfinished one depends. */
  let lowest = Number.POSITIVE_INFINITY

  const keep = (file: number, expression: string, result: Result<Value>): void => {
    if (++kept > MAX_KEPT) {
      results.clear()
      kept = 0
    }
    const ofFile = results.get(file)
    if (ofFile === undefined) results.set(file, new Map([[expression, result]]))
    else ofFile.set(expression, result)
  }

  return {
    valueOf: (file, expression, compute) => {
      const known = results.get(file)?.get(expression)
      if (known !== undefined) {
        read.push(...known.read)
        return known.value
      }
      const key = `${file} ${expression}`
      const depth = active.get(key)
      if (depth !== undefined) {
        lowest = Math.min(lowest, depth)
        return undefined
      }
      if (active.size >= MAX_DEPTH) {
        lowest = -1
        return undefined
      }
      const own = active.size
      active.set(key, own)
      const before = read.length
      const value = compute(file, expression)
      active.delete(key)
      const ownRead = read.length - before > 1 ? Array.from(new Set(read.slice(before))) : read.slice(before)
      read.length = before
      read.push(...ownRead)
      // A result that depends on an unfinished expression is not final, so it is not kept.
      if (lowest >= own) {
        keep(file, expression, { value, read: ownRead })
        lowest = Number.POSITIVE_INFINITY
      } else if (own === 0) lowest = Number.POSITIVE_INFINITY
      return value
    },
    noteRead: (file) => {
      read.push(file)
    },
    takeRead: () => {
      const taken = Array.from(new Set(read))
      read = []
      return taken
    },
    forget: (file) => {
      kept -= results.get(file)?.size ?? 0
      results.delete(file)
    },
  }
}
