/** A plugin of StrykerJS: which mutants a run of `tools/mutants.ts` tests. */
import { createHash } from "node:crypto"

/** A mutant, as far as it is read here. */
interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
  readonly mutatorName: string
  readonly replacement: string
}

/** A node of Babel's syntax tree, as far as it is read here. */
interface SyntaxNode {
  readonly type: string
  readonly kind?: string
  readonly key?: { readonly name?: string }
  readonly callee?: { readonly object?: { readonly name?: string }; readonly property?: { readonly name?: string } }
}

const size = Number(process.env.MUTANTS_SAMPLE ?? Number.POSITIVE_INFINITY)
const seed = process.env.MUTANTS_SEED ?? "1"

/**
 * The rank of a mutant in a sample depends on the mutant alone, so that a change elsewhere leaves the sample as it is.
 */
const rank = ({ fileName, location: { start }, mutatorName, replacement }: Mutant): string =>
  createHash("sha256")
    .update(
      [seed, fileName.replace(/^.*?\/(?=src\/)/, ""), start.line, start.column, mutatorName, replacement].join("\0"),
    )
    .digest("hex")

/** StrykerJS has no samples: it counts the mutants that are left out as ones that do not compile. */
class Sample {
  private chosen: ReadonlySet<string> = new Set()

  async init(): Promise<void> {}

  /** Receives all mutants at once, before `check`. */
  async group(mutants: ReadonlyArray<Mutant>): Promise<ReadonlyArray<ReadonlyArray<string>>> {
    const byRank = mutants.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
    this.chosen = new Set(byRank.slice(0, size).map(({ id }) => id))
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: ReadonlyArray<Mutant>): Promise<Readonly<Record<string, unknown>>> {
    const leftOut = { status: "compileError", reason: "not in the sample" }
    return Object.fromEntries(mutants.map(({ id }) => [id, this.chosen.has(id) ? { status: "passed" } : leftOut]))
  }
}

const forObservers = /^(?:log|annotateLogs|annotateCurrentSpan|annotateSpans|withSpan|withLogSpan)/

/** Mutants of messages, logs and spans change words that no test should repeat. */
const wording = {
  shouldIgnore: ({ node }: { readonly node: SyntaxNode }): string | undefined => {
    if (node.type === "ClassMethod" && node.kind === "get" && node.key?.name === "message") return "wording"
    const isForObservers =
      node.type === "CallExpression" &&
      node.callee?.object?.name === "Effect" &&
      forObservers.test(node.callee.property?.name ?? "")
    return isForObservers ? "wording" : undefined
  },
}

export const strykerPlugins = [
  { kind: "Checker", name: "sample", injectableClass: Sample },
  { kind: "Ignore", name: "wording", value: wording },
]
