/**
 * Keeps the brackets, blocks and calls that are open in an Elixir file. A call ends where its brackets do, or its line,
 * or the call around it; then the number of its arguments is known, and it is a use or the head of a definition.
 */
import { type Expression, Facts, makeScope } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import * as Module from "./Module.ts"
import { Words } from "./Words.ts"

/** A function or a type that is called. */
export interface Callee {
  /** The module that is named before it; undefined if none is. */
  readonly module: string | undefined
  readonly name: string
  readonly isType: boolean
}

/** A function, macro or type whose head is being read. */
export interface Head {
  readonly name: string
  readonly ordinal: number
  readonly isPrivate: boolean
  readonly isType: boolean
  /** The parameters with default values. */
  defaults: number
}

/** A call of which arguments may still follow. */
export interface Call {
  /** The name as it is written, for `quote`, `defmodule` and others that have a meaning of their own. */
  readonly form: string
  readonly callee: Callee | undefined
  readonly head: Head | undefined
  /** The word of the name. */
  readonly at: number
  readonly isPiped: boolean
  isEmpty: boolean
  commas: number
  hasKeys: boolean
  /** True for `quote` behind its `do:`. */
  isQuoting: boolean
  /** The function that `defdelegate` defines. */
  delegated: { readonly name: string; readonly arity: number } | undefined
  /** The module that a block behind the call makes. */
  readonly module: Module.Module | undefined
}

/** A pair of brackets or a block, and what is open in it. */
export interface Frame {
  readonly isBlock: boolean
  /** The call whose arguments the brackets hold. */
  readonly call: Call | undefined
  /** Calls without brackets, the outermost first. */
  readonly pending: Array<Call>
  readonly module: Module.Module
  readonly isQuoted: boolean
  readonly isType: boolean
  /** Aliases that the frame has changed, with their meanings before. */
  readonly hidden: Array<readonly [alias: string, before: string | null | undefined]>
}

/** A call without a module that is named before it. It is resolved when all functions of the file are known. */
interface LocalUse {
  readonly module: Module.Module
  readonly key: string
  readonly name: string
  readonly at: number
}

export abstract class CallReader {
  protected readonly facts: Facts
  protected readonly words: Words
  protected readonly symbols: ReadonlyArray<CodeSymbol>
  protected readonly scope = makeScope(undefined, 0)
  protected readonly modules: Array<Module.Module> = []
  protected readonly frames: Array<Frame> = []
  protected readonly locals: Array<LocalUse> = []
  private blocks = 0
  protected frame: Frame = makeFrame({ isBlock: true, module: this.addModule("", -1, undefined) })
  /** A call with brackets that a block follows. */
  private called: Call | undefined

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.facts = new Facts(text, symbols)
    this.words = new Words(text)
    this.symbols = symbols
  }

  /** Defines the function, macro or type of a head, now that the number of its parameters is known. */
  protected abstract define(head: Head, arity: number): void

  /** Gives aliases back the meanings that they had before a frame. */
  protected abstract restore(hidden: Frame["hidden"]): void

  protected addModule(name: string | undefined, ordinal: number, outer: Module.Module | undefined): Module.Module {
    const module = Module.make({ name, ordinal, number: this.modules.length, outer })
    this.modules.push(module)
    return module
  }

  protected get isQuoted(): boolean {
    const { call, isQuoted, pending } = this.frame
    return isQuoted || call?.isQuoting === true || pending.some(({ isQuoting }) => isQuoting)
  }

  protected get isType(): boolean {
    return this.frame.isType || this.frame.pending[0]?.form === TYPES
  }

  protected push(options: {
    readonly isBlock: boolean
    readonly call?: Call
    readonly module?: Module.Module
    readonly isQuoted?: boolean
  }): void {
    const { isQuoted, isType } = this
    if (options.isBlock) this.blocks++
    this.frames.push(this.frame)
    this.frame = makeFrame({ module: this.frame.module, isQuoted, isType, ...options })
  }

  /** Closes the innermost frame, and returns the call whose arguments it held. */
  protected pop(): Call | undefined {
    this.finishPending(0)
    const { call, hidden, isBlock } = this.frame
    if (isBlock) this.blocks--
    this.restore(hidden)
    this.frame = this.frames.pop() ?? this.frame
    return call
  }

  protected close(at: number): void {
    if (this.frames.length === 0) return
    const isEmpty = /^[([{]$|^<<$/.test(this.words.at(at - 1))
    const call = this.pop()
    if (call === undefined) return
    call.isEmpty = isEmpty
    if (this.words.at(at + 1) === "do" && this.frame.pending.length === 0) this.called = call
    else this.finish(call, 0)
  }

  protected openBlock(): void {
    const call = this.called ?? this.frame.pending[0]
    if (this.called === undefined) this.finishPending(1)
    this.called = undefined
    this.frame.pending.length = 0
    if (call !== undefined) this.finish(call, 1)
    const isQuoted = this.isQuoted || call?.form === "quote"
    this.push({ isBlock: true, isQuoted, module: call?.module ?? this.frame.module })
  }

  protected end(): void {
    if (this.blocks === 0) return
    while (!this.frame.isBlock) this.pop()
    this.pop()
  }

  protected comma(): void {
    this.finishPending(1)
    const call = this.frame.pending[0] ?? this.frame.call
    if (call !== undefined && !call.hasKeys) call.commas++
  }

  protected key(key: string): Call | undefined {
    const call = this.frame.pending.at(-1) ?? this.frame.call
    if (call === undefined) return undefined
    call.hasKeys = true
    if (key === "do" && call.form === "quote") call.isQuoting = true
    return call
  }

  /** Ends calls without brackets but for the outermost ones. */
  protected finishPending(kept: number): void {
    const { pending } = this.frame
    while (pending.length > kept) {
      const call = pending.pop()
      if (call !== undefined) this.finish(call, 0)
    }
  }

  /** Ends a call: now the number of its arguments is known, to which a block adds one. */
  private finish(call: Call, more: number): void {
    const arity = (call.isPiped ? 1 : 0) + (call.isEmpty ? 0 : call.commas + 1) + more
    if (call.head !== undefined) {
      this.define(call.head, arity)
      const [around] = this.frame.pending
      if (around?.form === "defdelegate") around.delegated = { name: call.head.name, arity }
    }
    if (call.callee !== undefined) this.use(call.callee, arity, call.at)
  }

  protected use({ isType, module, name }: Callee, arity: number, at: number): void {
    const key = `${name}${isType ? ";" : ":"}${arity}`
    if (module === undefined) this.locals.push({ module: this.frame.module, key, name, at })
    else this.useOf(Module.member(module, key), at)
  }

  protected useOf(value: Expression | undefined, at: number): void {
    if (value !== undefined) this.facts.use(undefined, value.root, value.path, this.words.start(at))
  }

  protected useModule(module: string | undefined, at: number): void {
    if (module !== undefined && module !== this.frame.module.name) this.useOf(Module.ofModule(module), at)
  }

  /** Reads the arguments behind a name, and returns the word after it. */
  protected callAt(at: number, name: number, form: string, callee: Callee | undefined, more?: Partial<Call>): number {
    const isPiped = this.words.at(at - 1) === "|>"
    const call: Call = {
      form,
      callee,
      head: undefined,
      at: name,
      isPiped,
      isEmpty: false,
      commas: 0,
      hasKeys: false,
      isQuoting: false,
      delegated: undefined,
      module: undefined,
      ...more,
    }
    const next = name + 1
    if (this.words.at(next) === "(" && !this.words.isSpaced(next)) {
      this.push({ isBlock: false, call, isQuoted: this.isQuoted && !/^unquote(?:_splicing)?$/.test(form) })
      return next + 1
    }
    const hasBlock = this.words.at(next) === "do" && this.frame.pending.length === 0
    if (hasBlock || this.words.beginsArgument(next)) {
      call.isEmpty = hasBlock
      if (this.frame.pending.length < MAX_PENDING) this.frame.pending.push(call)
    } else if (isPiped || callee?.module !== undefined || call.head !== undefined || (callee?.isType ?? false)) {
      call.isEmpty = true
      this.finish(call, 0)
    }
    return next
  }
}

const makeFrame = (options: Partial<Frame> & Pick<Frame, "isBlock" | "module">): Frame => ({
  call: undefined,
  pending: [],
  isQuoted: false,
  isType: false,
  hidden: [],
  ...options,
})

/** The form of an attribute that holds types. */
export const TYPES = "@spec"

/** The most calls without brackets that are open in one another. */
const MAX_PENDING = 20
