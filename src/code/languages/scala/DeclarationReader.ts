/** Reads the values, functions and parameters that a Scala file declares, its packages and its imports. */
import { absolute, type Binding, type Expression } from "../../Symbols/internal/references/Facts.ts"
import type { Block, Names } from "./Block.ts"
import * as Imports from "./Imports.ts"
import { PatternReader } from "./PatternReader.ts"
import { isName, isOperator, isTypeName } from "./Words.ts"

/** A function of a type, with the number of arguments of its first list; undefined if it has none. */
interface Method {
  readonly ordinal: number
  readonly counts: readonly [least: number, most: number] | undefined
  readonly value: Binding
}

export abstract class DeclarationReader extends PatternReader {
  /** The functions and values of each type, by its ordinal and their name. */
  private readonly methods = new Map<string, Array<Method>>()

  /** The results of implicit functions, with what they take. */
  protected readonly conversions: Array<readonly [result: Expression, extended: Binding]> = []
  /** The methods in extensions of Scala 3, with what they extend. */
  protected readonly extensions = new Map<number, Binding>()
  private extension: { readonly end: number; readonly extended: Binding } | undefined

  protected packageAt(at: number): number {
    if (this.words.at(at + 1) === "object") return at + 1
    const { next, path } = Imports.readPath(this.words, at + 1)
    const [outer] = this.packages
    // A package in braces is beside others, which are taken for the first one.
    const isBraced = /^[{:]$/.test(this.words.at(next))
    if (path !== "" && (!isBraced || outer === undefined))
      this.packages.unshift(outer === undefined ? path : `${outer}.${path}`)
    if (isBraced) this.opened.set(next, this.inner({ kind: "file" }))
    return next
  }

  protected importAt(at: number): number {
    const { all, named, next } = Imports.read(this.words, at + 1)
    const { block } = this
    for (const path of all)
      this.wildcards.push(...this.pathsOf(path, isTypeName.test(path.at(-1) ?? "") && path.length > 1 ? ":" : ""))
    for (const [alias, path] of named) {
      block.imported ??= new Map()
      block.imported.set(alias, path)
    }
    return Math.max(next, at + 1)
  }

  protected isMember(): boolean {
    return this.block.kind === "type" || this.block.kind === "enum" || this.block.kind === "file"
  }

  /** `val a: A = …`, `val (a, b) = …` and `val A(b) = …` */
  protected variableAt(at: number): number {
    const { block } = this
    const name = at + 1
    const mark = this.words.at(name + 1)
    const isSimple = isName.test(this.words.at(name)) && /^[:=,]$/.test(mark)
    if (!isSimple) {
      const end = this.words.find(name, "=", MAX_PATTERN)
      const names: Names = new Map()
      if (end !== -1) this.pattern(name, end, names)
      for (const [each, value] of names) this.addName(block, each, value)
      return name
    }
    this.labels.add(name)
    for (let next = name; this.words.at(next + 1) === "," && isName.test(this.words.at(next + 2)); next += 2) {
      this.labels.add(next + 2)
      if (!this.isMember()) this.addName(block, this.textAt(next + 2), null)
    }
    const ordinal = this.isMember() ? this.symbolAt(name) : -1
    const value = this.initialValue(name + 1)
    if (ordinal >= 0) {
      this.facts.value(ordinal, value)
      this.addMethod({ ordinal, counts: undefined, value })
    } else this.addName(block, this.textAt(name), value)
    return name + 1
  }

  /** Reads the type that is declared behind a name, or else the value. */
  private initialValue(at: number): Binding {
    if (this.words.at(at) !== ":") return this.words.at(at) === "=" ? this.valueAt(at + 1) : null
    const type = this.readType(at + 1, { reports: true })
    this.skips.set(at, Math.max(type.end, at + 1))
    return type.value
  }

  protected functionAt(at: number): number {
    const name = at + 1
    const { block } = this
    const text = this.words.at(name)
    if (!isName.test(text) && !isOperator.test(text)) return name
    this.labels.add(name)
    const isConstructor = text === "this"
    const ordinal = this.isMember() && !isConstructor ? this.symbolAt(name) : -1
    if (ordinal < 0 && !isConstructor && isName.test(text)) this.addName(block, this.textAt(name), null)
    // `name_=`
    const names: Names = new Map()
    const types: Names = new Map()
    const frame = this.inner({ kind: "function", names, types })
    const header = this.inBlock(frame, () => this.header(name + 1, names, types, ordinal))
    const { body, counts, result } = header
    const isBraced = this.words.at(body) === "{"
    const isExpression = this.words.at(body) === "="
    const end =
      isExpression && this.words.at(body + 1) === "{"
        ? this.words.closing(body + 1) + 1
        : isBraced
          ? this.words.closing(body) + 1
          : Math.max(this.words.indentedEnd(at), Math.min(body + 1, this.words.enclosingEnd(at)))
    this.blocks.push({ ...frame, end })
    if (isBraced) this.opened.set(body, this.inner({}))
    if (ordinal < 0) {
      if (!isConstructor && isName.test(text) && counts === undefined) this.addName(block, this.textAt(name), result)
      return name + 1
    }
    if (this.extension !== undefined && at < this.extension.end) this.extensions.set(ordinal, this.extension.extended)
    if (result !== null && header.first !== undefined && this.words.hasModifier(at, "implicit"))
      this.conversions.push([result, header.first])
    const value = result ?? (header.hasResult || !isExpression ? null : this.valueAt(body + 1))
    this.facts.value(ordinal, value)
    this.addMethod({ ordinal, counts, value })
    // A member may follow a function without arguments, and no brackets between.
    if (counts === undefined && block.type !== undefined) this.facts.field(block.type, this.textAt(name), value)
    return name + 1
  }

  /** Reads the parameters and the result of a function up to its body. */
  private header(from: number, names: Names, types: Names, ordinal: number) {
    let at = from
    if (this.words.at(at) === "[") {
      this.typeParameters(at, types, true)
      this.skips.set(at, this.words.closing(at) + 1)
      at = this.words.closing(at) + 1
    }
    let counts: Method["counts"]
    let first: Binding | undefined
    for (let list = 0; this.words.at(at) === "(" && list < MAX_LISTS; list++) {
      const close = this.words.closing(at)
      const own = this.parameters(at, names, ordinal, list === 0)
      if (list === 0 && !own.isImplicit) counts = [own.least, own.most]
      if (list === 0 && !own.isImplicit && own.most === 1) first = own.declared[0]?.value
      at = close + 1
    }
    let result: Binding = null
    const hasResult = this.words.at(at) === ":"
    if (hasResult) {
      const type = this.readType(at + 1, { reports: true })
      this.skips.set(at, Math.max(type.end, at + 1))
      result = type.value
      at = Math.max(type.end, at + 1)
    }
    return { body: at, counts, first, hasResult, result }
  }

  /** Reads a list of parameters, reports their types, and declares them. */
  protected parameters(open: number, names: Names, ordinal: number, isFirst: boolean) {
    const close = this.words.closing(open)
    let least = 0
    let most = 0
    let isImplicit = false
    let position = 0
    const declared: Array<{ readonly name: number; readonly value: Binding; readonly isField: boolean }> = []
    for (const [first, end] of this.words.items(open, close)) {
      let at = first
      let isField = false
      while (this.words.at(at) === "@" && at < end) at = this.annotation(at, true)
      for (let left = 6; left > 0 && isModifier.test(this.words.at(at)) && this.words.at(at + 1) !== ":"; left--) {
        if (/^(?:implicit|using)$/.test(this.words.at(at))) isImplicit = true
        if (/^va[lr]$/.test(this.words.at(at))) isField = true
        this.skips.set(at, at + 1)
        at++
        if (this.words.at(at) === "[") at = this.words.closing(at) + 1
      }
      if (this.words.at(at + 1) !== ":" || !isName.test(this.words.at(at))) {
        // `(using Foo[A])` has types alone.
        if (isImplicit && at < end) {
          const type = this.readType(at, { reports: true })
          this.skips.set(at, Math.max(type.end, at + 1))
        }
        continue
      }
      this.labels.add(at)
      if (ordinal >= 0) this.functionParameter(ordinal, at + 2, isFirst ? String(position) : "+")
      const type = this.readType(at + 2, { reports: true })
      this.skips.set(at + 1, Math.max(type.end, at + 2))
      names.set(this.textAt(at), type.value)
      declared.push({ name: at, value: type.value, isField })
      const isRest = this.words.at(type.end - 1) === "*"
      if (isRest) most = MANY
      else {
        if (this.words.at(type.end) !== "=") least++
        most++
      }
      position++
    }
    return { declared, isImplicit, least, most: Math.min(most, MANY) }
  }

  /** Says what a function gives to one of its parameters that is a function. */
  private functionParameter(ordinal: number, type: number, position: string): void {
    const arrow = this.words.at(type) === "(" ? this.words.closing(type) + 1 : undefined
    if (arrow !== undefined) {
      if (this.words.at(arrow) !== "=>") return
      let each = 0
      for (const [first] of this.words.items(type, arrow - 1)) {
        if (each === 3) return
        this.facts.field(ordinal, `$${position}-${each++}`, this.readType(first, { reports: false }).value)
      }
      return
    }
    const { end, value } = this.readType(type, { reports: false, hasArrows: false })
    if (this.words.at(end) === "=>" && end > type) this.facts.field(ordinal, `$${position}-0`, value)
  }

  private addMethod(method: Method): void {
    const name = this.facts.symbols[method.ordinal]?.name ?? ""
    const key = `${this.facts.containerOf(method.ordinal)} ${name}`
    const known = this.methods.get(key)
    if (known === undefined) this.methods.set(key, [method])
    else known.push(method)
  }

  /** Returns whether several functions of a name return different things. */
  protected returnsSeveral(owner: number, name: string): boolean {
    const [first, ...others] = this.methods.get(`${owner} ${name}`) ?? []
    const text = ({ value }: Method) => `${value?.root}${value?.path}`
    return first !== undefined && others.some((each) => text(each) !== text(first))
  }

  /** Says how many arguments each function takes. One that is alone may also be named without being called. */
  protected reportCounts(): void {
    for (const all of this.methods.values())
      for (const { counts, ordinal } of all) {
        if (counts === undefined && all.length === 1) continue
        const [least, most] = counts ?? [UNCALLED, UNCALLED]
        const isAlone = all.length === 1
        this.facts.field(ordinal, "()", absolute(`${least}-${most}${isAlone ? `-${UNCALLED}` : ""}`))
      }
  }

  /** `given name: A with …`, `given A with …` */
  protected givenDeclarationAt(at: number): number {
    const name = at + 1
    const isNamed =
      isName.test(this.words.at(name)) &&
      /^[:([]$/.test(this.words.at(name + 1)) &&
      !isTypeName.test(this.words.at(name))
    const types: Names = new Map()
    const names: Names = new Map()
    this.blocks.push(this.inner({ kind: "function", names, types, end: this.words.indentedEnd(at) }))
    let next = name
    if (isNamed) {
      this.labels.add(name)
      const ordinal = this.symbolAt(name)
      next++
      if (this.words.at(next) === "[") {
        this.typeParameters(next, types, true)
        next = this.words.closing(next) + 1
      }
      while (this.words.at(next) === "(") {
        this.parameters(next, names, -1, false)
        next = this.words.closing(next) + 1
      }
      if (this.words.at(next) !== ":") return next
      const type = this.readType(next + 1, { reports: true })
      this.facts.value(ordinal, type.value)
      this.instanceOf(type.end, type.value)
      return Math.max(type.end, next + 1)
    }
    if (!this.words.isFreeName(next)) return next
    const type = this.readType(next, { reports: true })
    this.instanceOf(type.end, type.value)
    return Math.max(type.end, next)
  }

  /** Notes that braces hold members of an instance of a type without a name. */
  protected instanceOf(end: number, value: Binding): void {
    const open = this.words.at(end) === "with" ? end + 1 : end
    if (this.words.at(open) === "{" && !this.words.isLineStart(open))
      this.opened.set(open, this.braces(open, { receiver: value }))
  }

  /** `new A(b) { … }` and `new { … }` */
  protected newAt(at: number): number {
    if (this.words.at(at + 1) === "{") {
      this.opened.set(at + 1, this.braces(at + 1, { receiver: null }))
      return at + 1
    }
    const type = this.readType(at + 1, { reports: true, hasArrows: false })
    const end = Math.max(type.end, at + 1)
    let close = end
    while (this.words.at(close) === "(" && !this.words.isLineStart(close)) close = this.words.closing(close) + 1
    if (this.words.at(close) === "{" && !this.words.isLineStart(close))
      this.opened.set(close, this.braces(close, { receiver: type.value }))
    if (close > end) this.madeAt(close - 1, type.value)
    return end
  }

  /** `extension (a: A) def b` */
  protected extensionAt(at: number): number {
    const names: Names = new Map()
    const types: Names = new Map()
    const frame: Block = this.inner({
      kind: this.block.kind,
      type: this.block.type,
      names,
      types,
      end: this.words.indentedEnd(at),
    })
    this.blocks.push(frame)
    let next = at + 1
    if (this.words.at(next) === "[") {
      this.typeParameters(next, types, true)
      next = this.words.closing(next) + 1
    }
    while (this.words.at(next) === "(") {
      const { declared, isImplicit } = this.parameters(next, names, -1, false)
      if (!isImplicit) this.extension = { end: frame.end ?? next, extended: declared[0]?.value ?? null }
      next = this.words.closing(next) + 1
    }
    if (this.words.at(next) === "{") this.opened.set(next, { ...frame, outer: frame, end: undefined, names: undefined })
    return next
  }
}

const isModifier = /^(?:implicit|using|va[lr]|private|protected|override|final|inline|erased|open|lazy)$/

/** The number of arguments that stands for a name that is not called. */
const UNCALLED = 99

/** Stands for any number of parameters. */
const MANY = 98

/** The most lists of parameters of a function. */
const MAX_LISTS = 12

/** The most words of the pattern of a value. */
const MAX_PATTERN = 100
