/**
 * The parts that the readers of Kotlin and Scala have in common, which read a file off its words: the blocks around the
 * word that is read, each with names of its own, and the uses that are reported.
 */
import { absolute, type Binding, type Expression, extend as extendFully, type Facts, makeScope } from "./Facts.ts"
import type { Words } from "./Words.ts"

/** A part of a file with names of its own. */
export interface AnyBlock<Block> {
  readonly outer: Block | undefined
  names: Map<string, Binding> | undefined
  /** The word at which it ends, if it has no braces. */
  readonly end: number | undefined
}

export abstract class BlockReader<Block extends AnyBlock<Block>, AllWords extends Words> {
  protected readonly facts: Facts
  protected readonly words: AllWords
  protected readonly blocks: Array<Block> = []
  /** The contents of braces and of other blocks that are not reached yet, by the word that opens them. */
  protected readonly opened = new Map<number, Block>()
  /** Words that are names of declarations, parameters and arguments. */
  protected readonly labels = new Set<number>()
  private readonly fileScope = makeScope(undefined, 0)
  private readonly alternatives = new Map<string, Expression>()

  constructor(facts: Facts, words: AllWords) {
    this.facts = facts
    this.words = words
  }

  /** The block of the file, which is around all others. */
  protected abstract readonly file: Block

  /** Makes a block in another one, with these of its properties. */
  protected abstract makeBlock(outer: Block, part: Partial<Block>): Block

  protected get block(): Block {
    return this.blocks.at(-1) ?? this.file
  }

  protected inner(part: Partial<Block>): Block {
    const { block } = this
    return this.blocks.length > MAX_DEPTH ? { ...block, end: part.end } : this.makeBlock(block, part)
  }

  protected inBlock<A>(block: Block, run: () => A): A {
    this.blocks.push(block)
    const value = run()
    this.blocks.pop()
    return value
  }

  /** Returns the name that a word is, which may stand between backticks. */
  protected textAt(at: number): string {
    return withoutTicks(this.words.at(at))
  }

  protected symbolAt(name: number): number {
    return this.facts.symbolNamed(this.textAt(name), this.words.start(name), this.fileScope)
  }

  /** Returns a name that stands for the first of several expressions that leads to something. */
  protected firstOf(all: ReadonlyArray<Binding>): Expression {
    const key = all.map((each) => `${each?.root}${each?.path}`).join(" ")
    const known = this.alternatives.get(key)
    if (known !== undefined) return known
    const name = `?${this.alternatives.size}`
    const first = absolute('""', `.${name}`)
    this.alternatives.set(key, first)
    for (const each of all) this.facts.export(name, each)
    return first
  }

  protected use(value: Binding, at: number): void {
    if (value !== null) this.facts.use(value.scope, value.root, value.path, this.words.start(at))
  }
}

export const withoutTicks = (text: string): string => text.replaceAll("`", "")

/** Extends an expression. Long ones, which resolve to nothing, would cost quadratic time. */
export const extend = (value: Binding, path: string): Binding =>
  value !== null && value.path.length > MAX_PATH ? null : extendFully(value, path)

/** The specifier of all packages of which a file sees the names. */
export const VISIBLE = '"."'

/** The most blocks in blocks with names of their own. */
const MAX_DEPTH = 200

/** The most characters of an expression. */
const MAX_PATH = 300
