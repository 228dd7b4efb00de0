/**
 * Reads references of Scala off its words: types and blocks here, the rest in a chain of classes, each of which reads
 * more than the one below it: `NameReader`, `TypeReader`, `ValueReader`, `ExpressionReader`, `PatternReader` and
 * `DeclarationReader`. A module specifier is the name of a package; `"."` stands for all packages and objects of which
 * the file sees the names. Calls have the number of their arguments, and a function tells how many it takes. What a
 * receiver of an unknown type has is not known.
 */
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import type { Names } from "./Block.ts"
import { DeclarationReader } from "./DeclarationReader.ts"
import { isName, isOperator } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

class Reader extends DeclarationReader {
  /** The objects that the file declares, by ordinal. */
  private readonly objects = new Set<number>()
  private readonly caseClasses = new Set<number>()
  /** The first parameter of each class, which an implicit class extends. */
  private readonly extended = new Map<number, Binding>()
  private readonly implicitClasses = new Set<number>()

  read(): string {
    this.blocks.push(this.file)
    let first = 0
    while (this.words.at(first) === "package" && this.words.at(first + 1) !== "object") {
      const next = this.packageAt(first)
      // The content of braces is read by what comes after.
      if (/^[{:]$/.test(this.words.at(next))) this.skips.set(first, next)
      if (/^[{:]$/.test(this.words.at(next))) break
      first = next
    }
    this.reportPackage()
    for (let at = first; at < this.words.length; ) {
      while (at >= (this.block.end ?? Number.POSITIVE_INFINITY)) this.blocks.pop()
      at = this.readAt(at)
    }
    this.reportVisible()
    this.reportCounts()
    this.reportObjects()
    this.reportExtensions()
    return this.facts.encode()
  }

  private readAt(at: number): number {
    const behind = this.skips.get(at)
    if (behind !== undefined) return behind
    const word = this.words.at(at)
    switch (word) {
      case "{":
        this.blocks.push(this.opened.get(at) ?? this.braces(at))
        return at + 1
      case "}":
        if (this.words.opener(at) !== -1 && this.blocks.length > 1) this.blocks.pop()
        return this.behind(at)
      case ")":
      case "]":
      case '"':
        return this.behind(at)
      case "(":
        return this.lambdaAt(at) ?? at + 1
      case "[":
        return this.typesAt(at)
      case "package":
        return this.packageAt(at)
      case "import":
        return this.importAt(at)
      case "export":
        return this.words.lineEnd(at)
      case "@":
        if (isName.test(this.words.at(at + 1)) && !this.words.isBehindValue(at)) return this.annotationAt(at)
        return at + 1
      case "class":
      case "trait":
      case "object":
      case "enum":
        return this.words.at(at - 1) === "." ? at + 1 : this.typeAt(at)
      case "type":
        return this.words.at(at - 1) === "." ? at + 1 : this.aliasAt(at)
      case "def":
        return this.functionAt(at)
      case "val":
      case "var":
        return this.variableAt(at)
      case "given":
        return this.givenDeclarationAt(at)
      case "new":
        return this.newAt(at)
      case "for":
        return this.forAt(at)
      case "<-":
      case "=":
        return this.generatorAt(at)
      case "case":
        if (/^(?:class|object)$/.test(this.words.at(at + 1))) return at + 1
        return this.block.kind === "enum" ? this.entriesAt(at) : this.caseAt(at)
      case ":":
        return this.colonAt(at)
      case "extension":
        if (/^[([]$/.test(this.words.at(at + 1)) && this.words.isLineStart(at)) return this.extensionAt(at)
        break
      case "end":
        if (this.words.isLineStart(at) && isName.test(this.words.at(at + 1)) && this.words.isLineStart(at + 2))
          return at + 2
        break
      case "'":
        return this.words.isTight(at + 1) ? at + 2 : at + 1
    }
    if (this.labels.has(at)) return at + 1
    if (isOperator.test(word)) return this.operatorAt(at)
    if (!isName.test(word)) return at + 1
    if (word === "this" || word === "super" || !this.words.isKeyword(at)) return this.chainAt(at)
    return at + 1
  }

  private typesAt(open: number): number {
    const close = this.words.closing(open)
    for (const [item] of this.words.items(open, close)) this.readType(item, { reports: true })
    return this.behind(close)
  }

  private annotationAt(at: number): number {
    const end = this.annotation(at, true)
    // The arguments are expressions.
    let open = at + 2
    while (open < end && this.words.at(open) !== "(") open++
    return Math.max(open, at + 2)
  }

  /** A type behind a value, or the indented members of a type. */
  private colonAt(at: number): number {
    const template = this.opened.get(at)
    if (template !== undefined) {
      this.blocks.push(template)
      return at + 1
    }
    if (this.words.isLineStart(at + 1)) return at + 1
    const { end } = this.readType(at + 1, { reports: true })
    return Math.max(end, at + 1)
  }

  private typeAt(at: number): number {
    const kind = this.words.at(at)
    const isObject = kind === "object"
    const isCase = this.words.at(at - 1) === "case"
    const name = at + 1
    if (!isName.test(this.words.at(name)) || this.words.isKeyword(name)) return name
    this.labels.add(name)
    const { block } = this
    const ordinal = this.isMember() ? this.symbolAt(name) : -1
    const text = this.textAt(name)
    if (ordinal < 0) {
      // A type within a function is no symbol.
      if (!isObject) this.addType(block, text, null)
      this.addName(block, text, null)
    } else if (this.words.at(at - 1) === "package") {
      const [outer] = this.packages
      this.packages.push(outer === undefined ? text : `${outer}.${text}`)
    } else if (isObject) this.objects.add(ordinal)
    else if (isCase) this.caseClasses.add(ordinal)
    const names: Names = new Map()
    const types: Names = new Map()
    const type = ordinal < 0 ? undefined : ordinal
    const head = this.inner({ kind: "function", names, types })
    let next = name + 1
    const bases: Array<Binding> = []
    const end = this.inBlock(head, () => {
      next = this.typeHead(next, { isCase, names, ordinal, types })
      return this.supertypes(next, bases)
    })
    // Members of the last one come first.
    if (type !== undefined && this.words.hasModifier(at, "implicit")) this.implicitClasses.add(type)
    for (const base of bases.toReversed()) this.facts.base(ordinal, base)
    if (bases.length > 0) this.derived.add(ordinal)
    const hasBody = this.words.at(end) === "{" && (!this.words.isLineStart(end) || true)
    const isIndented = this.words.at(end) === ":" && this.words.isLineStart(end + 1)
    const reach = hasBody ? this.words.closing(end) + 1 : isIndented ? this.words.indentedEnd(at) : end
    const frame = { ...head, end: Math.max(reach, name + 1) }
    this.blocks.push(frame)
    if (hasBody || isIndented) {
      const inner = { type, receiver: type === undefined ? null : undefined } as const
      const template = {
        ...(type === undefined && hasBody ? this.braces(end, inner) : this.inner(inner)),
        kind: kind === "enum" ? ("enum" as const) : ("type" as const),
        outer: frame,
        ...(isIndented && { end: reach }),
      }
      this.opened.set(end, template)
      if (hasBody) this.selfType(end + 1, template, ordinal)
    }
    return name + 1
  }

  /** Reads the parameters of a type, and returns the word behind them. */
  private typeHead(
    from: number,
    { isCase, names, ordinal, types }: { isCase: boolean; names: Names; ordinal: number; types: Names },
  ): number {
    let at = from
    if (this.words.at(at) === "[") {
      this.typeParameters(at, types, true)
      this.skips.set(at, this.words.closing(at) + 1)
      at = this.words.closing(at) + 1
    }
    for (let left = 6; left > 0; left--) {
      if (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
      else if (/^(?:private|protected)$/.test(this.words.at(at))) {
        at++
        if (this.words.at(at) === "[") {
          this.skips.set(at, this.words.closing(at) + 1)
          at = this.words.closing(at) + 1
        }
      } else break
    }
    for (let list = 0; this.words.at(at) === "(" && list < 8; list++) {
      const close = this.words.closing(at)
      const { declared } = this.parameters(at, names, -1, list === 0)
      if (list === 0) this.extended.set(ordinal, declared[0]?.value ?? null)
      let position = 0
      for (const { isField, name, value } of declared) {
        if (ordinal >= 0 && (isField || (isCase && list === 0))) {
          // It is no symbol, but no extension of its name is meant.
          this.facts.export(`.${this.textAt(name)}`, absolute(`#${ordinal}`))
          this.facts.field(ordinal, this.textAt(name), value ?? absolute("?"))
        }
        if (isCase && list === 0 && position < 12) this.facts.field(ordinal, `_${position++}`, value)
      }
      at = close + 1
    }
    return at
  }

  /** Reads `extends A(b) with C, D derives E`, and returns the word behind it. */
  private supertypes(from: number, bases: Array<Binding>): number {
    let at = from
    if (this.words.at(at) === "extends") {
      do {
        const start = at + 1
        if (this.words.at(start) === "{") return start
        const type = this.baseType(start)
        if (type.end === start) return start
        bases.push(type.value)
        this.skips.set(at, type.end)
        at = type.end
        while (this.words.at(at) === "(" && !this.words.isLineStart(at)) at = this.words.closing(at) + 1
      } while (/^(?:with|,)$/.test(this.words.at(at)))
    }
    if (this.words.at(at) === "derives") {
      do {
        const type = this.baseType(at + 1)
        if (type.end === at + 1) return at + 1
        this.skips.set(at, type.end)
        at = type.end
      } while (this.words.at(at) === ",")
    }
    return at
  }

  private baseType(at: number): { readonly value: Binding; readonly end: number } {
    const { end, value } = this.readType(at, { reports: true, isSingle: true })
    if (value === null || !value.path.endsWith("@")) return { value: null, end }
    return { value: { ...value, path: value.path.slice(0, -1) }, end }
  }

  /** `self: A with B =>` at the beginning of a body: its members are seen like inherited ones. */
  private selfType(at: number, template: { names: Names | undefined }, ordinal: number): void {
    if (!isName.test(this.words.at(at)) || (this.words.isKeyword(at) && this.words.at(at) !== "this")) return
    const value = ordinal < 0 ? null : absolute(`#${ordinal}@`)
    const name = this.textAt(at)
    if (/^(?:=>|⇒)$/.test(this.words.at(at + 1))) {
      this.labels.add(at)
      template.names = new Map([...(template.names ?? []), [name, value]])
      this.skips.set(at + 1, at + 2)
      return
    }
    if (this.words.at(at + 1) !== ":") return
    const all: Array<Binding> = []
    let next = at + 2
    const frame = this.inner({})
    this.inBlock(frame, () => {
      for (let left = 100; left > 0; left--) {
        const type = this.baseType(next)
        if (type.end === next) return
        all.push(type.value)
        next = type.end
        if (!/^(?:with|&)$/.test(this.words.at(next))) return
        next++
      }
    })
    if (!/^(?:=>|⇒)$/.test(this.words.at(next))) return
    this.labels.add(at)
    if (name !== "_" && name !== "this") template.names = new Map([...(template.names ?? []), [name, value]])
    for (const base of all.toReversed()) this.facts.base(ordinal, base)
    this.derived.add(ordinal)
    this.skips.set(at + 1, next + 1)
  }

  /** `case A, B(c: C) extends D` of an enum. An entry is no symbol, but what it has is known. */
  private entriesAt(at: number): number {
    const type = this.block.type ?? -1
    let next = at + 1
    while (isName.test(this.words.at(next)) && !this.words.isKeyword(next)) {
      this.labels.add(next)
      this.facts.field(type, this.textAt(next), absolute(`#${type}`, "@"))
      next++
      if (this.words.at(next) === "[") {
        const types: Names = new Map()
        this.typeParameters(next, types, false)
        next = this.words.closing(next) + 1
      }
      if (this.words.at(next) === "(") {
        this.parameters(next, new Map(), -1, false)
        next = this.words.closing(next) + 1
      }
      if (this.words.at(next) !== ",") break
      next++
    }
    return next
  }

  private aliasAt(at: number): number {
    const name = at + 1
    if (!isName.test(this.words.at(name)) || this.words.isKeyword(name)) return name
    this.labels.add(name)
    const ordinal = this.isMember() ? this.symbolAt(name) : -1
    if (ordinal < 0) this.addType(this.block, this.textAt(name), null)
    const types: Names = new Map()
    let next = name + 1
    if (this.words.at(next) === "[") {
      this.typeParameters(next, types, true)
      next = this.words.closing(next) + 1
    }
    this.inBlock(this.inner({ types }), () => {
      for (let left = 8; left > 0 && /^(?:=|<:|>:)$/.test(this.words.at(next)); left--) {
        const isAlias = this.words.at(next) === "="
        const type = this.readType(next + 1, { reports: true })
        if (isAlias && type.value?.path.endsWith("@"))
          this.facts.value(ordinal, { ...type.value, path: type.value.path.slice(0, -1) })
        if (type.end === next + 1) return
        next = type.end
      }
    })
    return next
  }

  /** Names the methods that extend values of other types, with those types. */
  private reportExtensions(): void {
    const types = new Map(Array.from(this.implicitClasses, (ordinal) => [ordinal, this.extended.get(ordinal) ?? null]))
    for (const [result, extended] of this.conversions) {
      const [, ordinal] = /^#(\d+)@$/.exec(`${result.root}${result.path}`) ?? []
      if (ordinal !== undefined) types.set(Number(ordinal), extended)
    }
    this.facts.symbols.forEach(({ kind, name, signature }, ordinal) => {
      const container = this.facts.containerOf(ordinal)
      const extended = this.extensions.get(ordinal) ?? types.get(container)
      if (extended === undefined || isPrivate.test(signature) || !/^(?:method|function)$/.test(kind)) return
      this.facts.export(`+${name}`, absolute(`#${ordinal}`))
      this.facts.field(ordinal, "this", extended ?? absolute("?"))
    })
  }

  /** Says what a call of each object gives. */
  private reportObjects(): void {
    for (const ordinal of this.objects) {
      const name = this.facts.symbols[ordinal]?.name ?? ""
      const companion = this.typeIn(this.facts.containerOf(ordinal), name)
      const own = this.valueIn(ordinal, "apply")
      const isCase = own === undefined && companion !== undefined && this.caseClasses.has(companion)
      const made = isCase ? absolute(`#${companion}`, "@") : absolute(`#${ordinal}`, ".apply()")
      this.facts.field(ordinal, "apply()", this.returnsSeveral(ordinal, "apply") ? absolute("?") : made)
      if (companion === undefined) continue
      const container = this.facts.containerOf(ordinal)
      this.facts.field(container, `${name}:`, absolute(`#${ordinal}`))
      if (companion > ordinal) this.facts.field(container, `${name}@`, absolute(`#${companion}`))
    }
  }
}

/** Matches the signature of a function that only its own type sees. */
const isPrivate = /^(?:[a-z]+ ){0,6}(?:private|protected)\b/
