/**
 * Evaluates the expressions of `References`: follows imports, re-exports, members, base types and declared types from
 * file to file. Each result comes with the files that were read for it, because a change of one of them can change it.
 */
import type { Extensions, Rules } from "../../../../code/ModuleRules.ts"
import * as EvaluationCache from "./EvaluationCache.ts"
import * as LabelledMembers from "./LabelledMembers.ts"
import * as Mixins from "./Mixins.ts"
import type { Surface, Surfaces } from "./Surfaces.ts"
import type { SymbolValue, Value } from "./Value.ts"

export interface Project {
  readonly surfaces: Surfaces
  readonly rules: (path: string) => Rules | undefined
  readonly numberOf: (path: string) => number | undefined
}

export interface Evaluator {
  /** Returns the symbol that an expression of a file denotes; `undefined` if it denotes none, or is unknown. */
  readonly symbolOf: (file: number, expression: string) => SymbolValue | undefined
  /** Returns the symbols that other systems have in place of a symbol. */
  readonly twinsOf: (symbol: SymbolValue) => ReadonlyArray<SymbolValue>
  /** Returns the files that were read since the last call. */
  readonly takeRead: () => ReadonlyArray<number>
  /** Forgets the results of a file, since other files need few of them again. */
  readonly forget: (file: number) => void
}

/** The most base types above a type. */
const MAX_BASES = 50

/** The most files that re-export from each other. */
const MAX_REEXPORTS = 500

export const make = ({ numberOf, rules, surfaces }: Project): Evaluator => {
  const cache = EvaluationCache.make<Value>()

  const surfaceOf = (file: number): Surface | undefined => {
    cache.noteRead(file)
    return surfaces.of(file)
  }

  const evaluate = (file: number, expression: string): Value | undefined => cache.valueOf(file, expression, compute)

  const compute = (file: number, expression: string): Value | undefined => {
    if (isSpecifier(expression)) return moduleNamed(file, expression.slice(1, -1))
    switch (expression.at(-1)) {
      case ")": {
        const called = expression.slice(0, -2)
        return called.endsWith(Mixins.NEW) ? made(file, called) : call(evaluate(file, called))
      }
      case "@":
        return instanceOf(evaluate(file, expression.slice(0, -1)))
      case "^":
        return basesOf(evaluate(file, expression.slice(0, -1)))
      case "[": {
        const of = evaluate(file, expression.slice(0, -1))
        return of && { tag: "list", of }
      }
      case "]": {
        const value = evaluate(file, expression.slice(0, -1))
        // The brackets hold the arguments of a generic type.
        if (value?.tag === "symbol" && isType.has(kindOf(value))) return value
        const list = contentOf(value)
        return list?.tag === "list" ? list.of : undefined
      }
    }
    const [, path, called = "", parameter] = (expression.includes("~") && isCall.exec(expression)) || []
    if (path !== undefined) return ofCall(file, path, called, parameter)
    const dot = lastDot(expression)
    if (dot !== -1) {
      const name = expression.slice(dot + 1)
      const owner = expression.slice(0, dot)
      const found = memberOf(evaluate(file, owner), name)
      return found ?? memberModule(file, owner, withoutCount(name))
    }
    const rest = expression.slice(1)
    switch (expression.charAt(0)) {
      case "#":
        return { tag: "symbol", file, ordinal: Number(rest) }
      case "&":
        return { tag: "object", file, name: rest }
      case "%":
        return argument(file, Number(rest))
    }
    return undefined
  }

  /** Returns what is called with a number of arguments, or what that gives to a parameter of a function among them. */
  const ofCall = (file: number, path: string, called: string, parameter: string | undefined): Value | undefined => {
    if (parameter !== undefined) return givenParameter(file, `${path}~${called}`, parameter)
    const dot = lastDot(path)
    if (dot !== -1) return calledMember(file, path.slice(0, dot), path.slice(dot + 1), called)
    const found = evaluate(file, path)
    const chosen = found?.tag === "symbol" ? overloadOf(found, Number.parseInt(called, 10)) : found
    return chosen === "several" ? undefined : chosen
  }

  const moduleNamed = (file: number, specifier: string): Value | undefined => {
    const path = surfaceOf(file)?.path
    if (path === undefined) return undefined
    const files = (rules(path)?.resolve(path, specifier) ?? []).flatMap((target) => numberOf(target) ?? [])
    return files.length === 0 ? undefined : { tag: "module", files }
  }

  /** A member of a namespace, or a module in a folder that is no module itself. */
  const memberModule = (file: number, owner: string, name: string): Value | undefined => {
    const [, specifier, members = ""] = /^"([^"]+)"((?:\.\w+)*)$/.exec(owner) ?? []
    const path = specifier === undefined ? undefined : surfaceOf(file)?.path
    const language = path === undefined ? undefined : rules(path)
    if (specifier === undefined || path === undefined || language === undefined) return undefined
    const { join, member } = language
    const parts = members.split(".").slice(1)
    const namespace = parts.length === 0 ? specifier : join && parts.reduce(join, specifier)
    const declared = namespace === undefined ? undefined : member?.(path, namespace, name)
    const number = declared === undefined ? undefined : numberOf(declared.path)
    if (declared !== undefined && number !== undefined) {
      surfaceOf(number)
      return { tag: "symbol", file: number, ordinal: declared.ordinal }
    }
    const ancestors = parts.length === 0 ? language.enclosing?.(specifier) : undefined
    if (ancestors !== undefined) return memberOf(evaluate(file, ancestors), name)
    return join && moduleNamed(file, [...parts, name].reduce(join, specifier))
  }

  /**
   * Returns the member of a value that a call means by its number of arguments, or else the extension method, as the
   * file around the call can see it.
   */
  const calledMember = (file: number, owner: string, name: string, written: string): Value | undefined => {
    const count = Number.parseInt(written, 10)
    const receiver = owner === UNKNOWN ? undefined : evaluate(file, owner)
    const found = memberOf(receiver, name) ?? memberModule(file, owner, name)
    const chosen = found?.tag === "symbol" ? overloadOf(found, count) : found
    if (chosen === "several") return undefined
    if (chosen !== undefined || (receiver !== undefined && isType.has(kindOf(receiver)))) return chosen
    const content = contentOf(receiver)
    // A field of a library's type stands for itself.
    const known = content?.tag === "symbol" || content?.tag === "module" ? undefined : content
    const isPlatform = written.endsWith("!")
    // A path of names alone that means nothing here is a type of a library.
    const isUnknown = known === undefined && !isPlatform && (content !== undefined || /[@()[\]#]|^"~"/.test(owner))
    if (known === undefined && !isUnknown) return undefined
    const visible = extensionsNamed(file, name)
    // A library may have declared the type whose member this is, or the project, if nothing is known of the value.
    if (visible === undefined || (isUnknown && visible.isMember)) return undefined
    const fitting = visible.methods.flatMap(({ ordinal, path }): ReadonlyArray<SymbolValue> => {
      const number = numberOf(path)
      if (number === undefined || !isCalledWith(number, ordinal, count + 1)) return []
      const extended = surfaceOf(number)?.fields.get(`${ordinal} this`)
      const type = extended === undefined ? undefined : evaluate(number, extended)
      // A value of a library's type, `owner` ends with `@` then, is no instance of a type of the project.
      const isFitting =
        known === undefined
          ? type === undefined || !owner.endsWith("@")
          : type === undefined
            ? !isPlatform
            : isOf(known, type)
      return isFitting ? [{ tag: "symbol", file: number, ordinal }] : []
    })
    return fitting.length === 1 ? fitting[0] : undefined
  }

  /** The value that a method gives to a parameter of a function among its arguments. */
  const givenParameter = (file: number, called: string, place: string): Value | undefined => {
    const method = evaluate(file, called)
    const fields = method?.tag === "symbol" ? surfaceOf(method.file)?.fields : undefined
    if (method?.tag !== "symbol" || fields === undefined) return undefined
    const [argument = 0, parameter = 0] = place.split("-").map(Number)
    const dot = lastDot(called)
    const owner = dot === -1 ? undefined : evaluate(file, called.slice(0, dot))
    // The first parameter of an extension method is no argument, unless it is called as a member of its class.
    const isExtension = fields.has(`${method.ordinal} this`) && !(owner !== undefined && isType.has(kindOf(owner)))
    const type =
      fields.get(`${method.ordinal} $${argument + (isExtension ? 1 : 0)}-${parameter}`) ??
      fields.get(`${method.ordinal} $*-${parameter}`)
    return type === undefined ? undefined : evaluate(method.file, type)
  }

  /** Returns whether a method can have a number of arguments; true if its file does not tell. */
  const isCalledWith = (file: number, ordinal: number, count: number): boolean => {
    const told = surfaceOf(file)?.fields.get(`${ordinal} ${COUNTS}`)
    const [least = 0, most = 0] = told?.split("-").map(Number) ?? []
    return told === undefined || (least <= count && count <= most)
  }

  /**
   * Returns the method of a type and a name, or of its bases, that can have a number of arguments: the only one of the
   * lowest type that has any.
   */
  const overloadOf = (found: SymbolValue, count: number, seen: number = 0): SymbolValue | "several" | undefined => {
    const surface = surfaceOf(found.file)
    const qualified = surface?.symbols[found.ordinal]?.qualified ?? ""
    if (surface === undefined || !surface.fields.has(`${found.ordinal} ${COUNTS}`)) return found
    const dot = qualified.lastIndexOf(".")
    const type = qualified.slice(0, dot)
    const types = surface.named.get(type) ?? []
    const ordinal = Math.max(...types.filter((each) => each < found.ordinal))
    const next = Math.min(...types.filter((each) => each > found.ordinal))
    const all = [
      ...(surface.named.get(qualified) ?? [])
        .filter((each) => each > ordinal && each < next)
        .map((each): SymbolValue => ({ tag: "symbol", file: found.file, ordinal: each })),
      ...inPeers(surface, type, qualified.slice(dot + 1)),
    ]
    const fitting = all.filter((each) => isCalledWith(each.file, each.ordinal, count))
    if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : "several"
    if (seen >= MAX_BASES) return undefined
    const inherited = typeMember(found.file, ordinal, qualified.slice(dot + 1), [], { skipsOwn: true })
    return inherited?.tag === "symbol" ? overloadOf(inherited, count, seen + 1) : undefined
  }

  /** The members of a name that other parts of a type declare. */
  const inPeers = ({ path }: Surface, type: string, name: string): ReadonlyArray<SymbolValue> =>
    (rules(path)?.peersOf?.(path, type) ?? []).flatMap((peer) => {
      const number = numberOf(peer)
      const all = number === undefined ? undefined : surfaceOf(number)?.named.get(`${type}.${name}`)
      return number === undefined ? [] : (all ?? []).map((each) => ({ tag: "symbol", file: number, ordinal: each }))
    })

  const extensionsNamed = (file: number, name: string): Extensions | undefined => {
    const surface = surfaceOf(file)
    const namespaces = surface?.exports.get("using") ?? []
    return (
      surface &&
      rules(surface.path)?.extensions?.(
        surface.path,
        name,
        namespaces.map((specifier) => specifier.slice(1, -1)),
      )
    )
  }

  /** Returns whether a value is an instance of a type, or of one that inherits from it. */
  const isOf = (value: Value, type: Value, seen: ReadonlyArray<Value> = []): boolean => {
    if (isSame(value, type)) return true
    if (value.tag !== "instance" || type.tag !== "instance" || seen.length > MAX_BASES) return false
    if (seen.some((each) => isSame(each, value))) return false
    const surface = surfaceOf(value.file)
    return (surface?.facts.bases.get(value.ordinal) ?? []).some((expression) => {
      const base = contentOf(evaluate(value.file, expression))
      return base?.tag === "symbol" && isOf({ ...base, tag: "instance" }, type, [...seen, value])
    })
  }

  const kindOf = (value: Value): string =>
    value.tag === "symbol" ? (surfaceOf(value.file)?.symbols[value.ordinal]?.kind ?? "") : ""

  /** The object that other files pass to the function that a file exports. */
  const argument = (file: number, position: number): Value | undefined => {
    const path = surfaceOf(file)?.path
    if (path === undefined) return undefined
    for (const caller of rules(path)?.callersOf?.(path) ?? []) {
      const number = numberOf(caller)
      const surface = number === undefined ? undefined : surfaceOf(number)
      for (const { argument, module, object } of surface?.facts.extensions ?? []) {
        if (argument !== position || surface === undefined) continue
        const passed = rules(caller)?.resolve(caller, module) ?? []
        if (passed.includes(path)) return { tag: "object", file: surface.number, name: object }
      }
    }
    return undefined
  }

  /** The value that a variable, a field or a module holds; other values stand for themselves. */
  const contentOf = (value: Value | undefined): Value | undefined => {
    let content = value
    for (let steps = 0; steps < EvaluationCache.MAX_DEPTH && content !== undefined; steps++) {
      const next = content.tag === "symbol" ? heldBy(content) : content.tag === "module" ? assigned(content) : undefined
      if (next === undefined) return content
      content = next
    }
    return content
  }

  /** The value that a symbol holds if it is neither a type nor a function. */
  const heldBy = ({ file, ordinal }: { readonly file: number; readonly ordinal: number }): Value | undefined => {
    const surface = surfaceOf(file)
    const symbol = surface?.symbols[ordinal]
    if (surface === undefined || symbol === undefined) return undefined
    const isProperty = symbol.kind === "method"
    if (!isProperty && !holdsValue.has(symbol.kind)) return undefined
    const value = isProperty ? undefined : surface.facts.values.get(ordinal)
    const expression = value ?? fieldOf(surface, symbol.qualified)
    return expression === undefined ? undefined : evaluate(file, expression)
  }

  const fieldOf = ({ fields, named }: Surface, qualified: string): string | undefined => {
    const dot = qualified.lastIndexOf(".")
    for (const owner of dot === -1 ? [] : (named.get(qualified.slice(0, dot)) ?? [])) {
      const expression = fields.get(`${owner} ${qualified.slice(dot + 1)}`)
      if (expression !== undefined) return expression
    }
    return undefined
  }

  /** The value that is assigned to `module.exports`. */
  const assigned = ({ files }: { readonly files: ReadonlyArray<number> }): Value | undefined => {
    for (const file of files) {
      const expression = surfaceOf(file)?.exports.get("=")?.[0]
      const value = expression === undefined ? undefined : evaluate(file, expression)
      if (value !== undefined) return value
    }
    return undefined
  }

  let steps = 0
  /** Follows what a symbol holds, up to a limit: `a = b; b = a` has no end. */
  const bounded = (follow: () => Value | undefined): Value | undefined => {
    if (steps >= EvaluationCache.MAX_DEPTH) return undefined
    steps += 1
    const value = follow()
    steps -= 1
    return value
  }

  const membersIn = (file: number) => rules(surfaceOf(file)?.path ?? "")?.members

  const lookup = { surfaceOf, rules, numberOf, evaluate, contentOf: (value: Value | undefined) => contentOf(value) }
  const members = { mixed: Mixins.make(lookup), labelled: LabelledMembers.make(lookup) }

  /** Returns what `new` makes: an instance, unless the class has a method of that name. */
  const made = (file: number, called: string): Value | undefined => {
    const method = evaluate(file, called)
    const isOwn =
      method?.tag === "symbol" && surfaceOf(method.file)?.symbols[method.ordinal]?.qualified.endsWith(".new")
    return isOwn ? call(method) : instanceOf(contentOf(evaluate(file, called.slice(0, -Mixins.NEW.length))))
  }

  const call = (called: Value | undefined): Value | undefined => {
    const value = called?.tag === "module" ? assigned(called) : called
    if (value?.tag !== "symbol") return undefined
    const surface = surfaceOf(value.file)
    const kind = surface?.symbols[value.ordinal]?.kind ?? ""
    if (isType.has(kind)) return { ...value, tag: "instance" }
    if (isFunction.has(kind)) {
      const result = surface?.facts.values.get(value.ordinal)
      return result === undefined ? undefined : evaluate(value.file, result)
    }
    const held = heldBy(value)
    if (kind === "field" && membersIn(value.file) === "mixed") return held
    return held?.tag === "symbol" ? bounded(() => call(held)) : undefined
  }

  const instanceOf = (type: Value | undefined): Value | undefined => {
    const value = type?.tag === "module" ? assigned(type) : type
    if (value?.tag === "instance" || value?.tag === "list") return value
    if (value?.tag !== "symbol") return undefined
    const surface = surfaceOf(value.file)
    const kind = surface?.symbols[value.ordinal]?.kind ?? ""
    const alias = isFunction.has(kind) ? undefined : surface?.facts.values.get(value.ordinal)
    if (alias !== undefined && kind !== "class" && kind !== "interface") {
      const held = evaluate(value.file, alias)
      return held?.tag === "symbol" ? bounded(() => instanceOf(held)) : held
    }
    const isHolder = isType.has(kind) || (kind === "module" && membersIn(value.file) === "mixed")
    return isHolder || isConstructor(surface, value.ordinal) ? { ...value, tag: "instance" } : undefined
  }

  const basesOf = (value: Value | undefined): Value | undefined =>
    value?.tag === "instance" || value?.tag === "symbol" ? { ...value, tag: "bases" } : undefined

  /** A member of a value. The name may have the number of arguments behind it, which only members of types need. */
  const memberOf = (value: Value | undefined, written: string): Value | undefined => {
    const name = withoutCount(written)
    const sort = value !== undefined && "ordinal" in value ? membersIn(value.file) : undefined
    if (value !== undefined && sort !== undefined) return members[sort].memberOf(value, written)
    switch (value?.tag) {
      case "module":
        return exportOf(value.files, written) ?? (written === name ? undefined : exportOf(value.files, name))
      case "instance":
        return typeMember(value.file, value.ordinal, written, [], { skipsOwn: false })
      case "bases":
        return typeMember(value.file, value.ordinal, written, [], { skipsOwn: true })
      case "object":
        return objectMember(value.file, value.name, name)
      case "symbol": {
        const surface = surfaceOf(value.file)
        const symbol = surface?.symbols[value.ordinal]
        if (surface === undefined || symbol === undefined) return undefined
        if (isType.has(symbol.kind)) return typeMember(value.file, value.ordinal, written, [], { skipsOwn: false })
        const own = surface.named.get(`${symbol.qualified}.${name}`)?.[0]
        if (own !== undefined) return { tag: "symbol", file: value.file, ordinal: own }
        if (symbol.kind === "module" && !surface.facts.values.has(value.ordinal)) {
          const found = exportedFrom([{ file: value.file, prefix: `${symbol.qualified}.`, isInside: true }], name)
          if (found !== undefined) return found
        }
        const held = heldBy(value)
        if (held !== undefined) return bounded(() => memberOf(held, written))
        return objectMember(value.file, symbol.qualified, name)
      }
    }
    return undefined
  }

  /**
   * A member of a type or of its bases; with `skipsOwn`, of its bases only, and with `skipsPeers` without the bases that
   * other parts of the type name.
   */
  const typeMember = (
    file: number,
    ordinal: number,
    name: string,
    seen: Array<string>,
    { skipsOwn, skipsPeers = false }: { readonly skipsOwn: boolean; readonly skipsPeers?: boolean },
  ): Value | undefined => {
    const key = `${file} ${ordinal}`
    const surface = surfaceOf(file)
    const symbol = surface?.symbols[ordinal]
    if (surface === undefined || symbol === undefined || seen.includes(key) || seen.length > MAX_BASES) return undefined
    seen.push(key)
    const bare = withoutCount(name)
    const bases = surface.facts.bases.get(ordinal) ?? []
    // A type with bases tells how many parameters its methods have, so another number may be that of an inherited one.
    let other: number | undefined
    if (!skipsOwn) {
      const overload = bare === name ? undefined : surface.fields.get(`${ordinal} ${name}`)
      if (overload !== undefined) return evaluate(file, overload)
      const own = ownMemberOf(surface, ordinal, symbol.qualified, bare)
      if (own !== undefined && bare !== name && bases.length > 0) other = own
      else if (own !== undefined) return { tag: "symbol", file, ordinal: own }
      const field = surface.fields.get(`${ordinal} ${bare}`)
      if (field !== undefined) return evaluate(file, field)
      for (const peer of rules(surface.path)?.peersOf?.(surface.path, symbol.qualified) ?? []) {
        const number = numberOf(peer)
        const elsewhere =
          number === undefined ? undefined : surfaceOf(number)?.named.get(`${symbol.qualified}.${bare}`)?.[0]
        if (number !== undefined && elsewhere !== undefined) return { tag: "symbol", file: number, ordinal: elsewhere }
      }
    }
    for (const expression of bases) {
      const base = contentOf(evaluate(file, expression))
      if (base?.tag !== "symbol") continue
      const found = typeMember(base.file, base.ordinal, name, seen, { skipsOwn: false })
      if (found !== undefined) return found
    }
    if (other !== undefined) return { tag: "symbol", file, ordinal: other }
    return skipsPeers ? undefined : inPeerBases(surface, symbol.qualified, name, seen)
  }

  /** A member of the bases that other parts of a type name. */
  const inPeerBases = ({ path }: Surface, qualified: string, name: string, seen: Array<string>): Value | undefined => {
    const language = rules(path)
    // Another type may have the name in other languages.
    for (const peer of language?.member === undefined ? [] : (language.peersOf?.(path, qualified) ?? [])) {
      const number = numberOf(peer)
      const part = number === undefined ? undefined : surfaceOf(number)?.named.get(qualified)?.[0]
      const found =
        number === undefined || part === undefined
          ? undefined
          : typeMember(number, part, name, seen, { skipsOwn: true, skipsPeers: true })
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The member of a type in its own file. If several types have its name, such as generic ones, its own come first. */
  const ownMemberOf = ({ named }: Surface, ordinal: number, type: string, name: string): number | undefined => {
    const all = named.get(`${type}.${name}`)
    const types = all === undefined || all.length < 2 ? [] : (named.get(type) ?? [])
    if (types.length < 2) return all?.[0]
    const next = Math.min(...types.filter((each) => each > ordinal))
    return all?.find((each) => each > ordinal && each < next) ?? all?.[0]
  }

  /** A member of an object. The file itself may define it, or a module to which the file passes the object. */
  const objectMember = (file: number, object: string, name: string): Value | undefined => {
    const surface = surfaceOf(file)
    if (surface === undefined) return undefined
    const own = ownMember(surface, object, name)
    if (own !== undefined) return own
    for (const { argument, module, object: passed } of surface.facts.extensions) {
      const isIt = passed === object
      if (!isIt && !object.startsWith(`${passed}.`)) continue
      const target = moduleNamed(file, module)
      if (target?.tag !== "module") continue
      for (const other of target.files) {
        const extension = surfaceOf(other)
        const parameter = extension?.facts.parameters[argument]
        if (extension === undefined || parameter === undefined) continue
        const found = ownMember(extension, parameter + object.slice(passed.length), name)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  const ownMember = ({ members, named, number }: Surface, object: string, name: string): Value | undefined => {
    const ordinal = named.get(`${object}.${name}`)?.[0]
    if (ordinal !== undefined) return { tag: "symbol", file: number, ordinal }
    const held = members.get(`${object}.${name}`)
    if (held !== undefined) return evaluate(number, held)
    // An object may have members of its own: `A.b = {}; A.b.c = …`
    const prefix = `${object}.${name}.`
    for (const qualified of named.keys())
      if (qualified.startsWith(prefix)) return { tag: "object", file: number, name: `${object}.${name}` }
    return undefined
  }

  /** The value that files export under a name. */
  const exportOf = (files: ReadonlyArray<number>, name: string): Value | undefined =>
    exportedFrom(
      files.map((file) => ({ file, prefix: "", isInside: true })),
      name,
    )

  /** The value that a module declares or exports under a name, and else what it imports together with all other names. */
  const exportedFrom = (start: ReadonlyArray<Module>, name: string): Value | undefined => {
    const queue = [...start]
    const seen = new Set(queue.map(keyOf))
    const enqueue = (module: Module): void => {
      if (seen.has(keyOf(module))) return
      seen.add(keyOf(module))
      queue.push(module)
    }
    let first: Value | undefined
    for (let at = 0; at < queue.length && at < MAX_REEXPORTS; at++) {
      const { file, isInside, prefix } = queue[at] ?? { file: 0, prefix: "", isInside: false }
      const surface = surfaceOf(file)
      if (surface === undefined) continue
      const language = rules(surface.path)
      const found = exportedBy(surface, prefix, name, isInside)
      if (found !== undefined) {
        if (language?.hidesDoubles !== true || at < start.length) return found
        if (first !== undefined && !isSame(first, found)) return undefined
        first = found
        continue
      }
      if (prefix === "") {
        for (const below of language?.below?.(surface.path, name) ?? []) {
          const number = numberOf(below)
          if (number !== undefined) return { tag: "module", files: [number] }
        }
      }
      for (const [isOwn, expression] of importsOfAll(surface, prefix, isInside)) {
        const all = evaluate(file, expression)
        const isInner = isOwn && isAround.test(expression)
        const module = all?.tag === "symbol" && kindOf(all) === "module" ? (heldBy(all) ?? all) : all
        if (module?.tag === "module")
          for (const other of module.files) enqueue({ file: other, prefix: "", isInside: isInner })
        else if (module?.tag === "symbol" && kindOf(module) === "module") {
          const qualified = surfaceOf(module.file)?.symbols[module.ordinal]?.qualified ?? ""
          enqueue({ file: module.file, prefix: `${qualified}.`, isInside: isInner })
        } else {
          const value = memberOf(all, name)
          if (value !== undefined) return value
        }
      }
      const [assignment] = prefix === "" ? (surface.exports.get("=") ?? []) : []
      if (assignment !== undefined) {
        const value = evaluate(file, assignment)
        const found = name === "default" ? value : memberOf(value, name)
        if (found !== undefined) return found
      }
    }
    return first
  }

  const exportedBy = (surface: Surface, prefix: string, name: string, isInside: boolean): Value | undefined => {
    const { exports, named, number } = surface
    const own = exports.get(prefix + name) ?? []
    for (const expression of isInside ? [...own, ...(exports.get(`-${prefix}${name}`) ?? [])] : own) {
      const value = evaluate(number, expression)
      if (value !== undefined) return value
    }
    const ordinal = rules(surface.path)?.exportsByReturn === true ? undefined : named.get(prefix + name)?.[0]
    return ordinal === undefined ? undefined : { tag: "symbol", file: number, ordinal }
  }

  return {
    symbolOf: (file, expression) => {
      const value = evaluate(file, expression)
      // The module may be a function or a class: `const A = require("./A")`.
      const isWhole = value?.tag === "module" && expression.endsWith('"')
      const symbol = isWhole ? assigned(value) : value
      if (symbol?.tag !== "symbol") return undefined
      const kind = kindOf(symbol)
      return isWhole && !isType.has(kind) && !isFunction.has(kind) ? undefined : symbol
    },
    twinsOf: ({ file, ordinal }) => {
      const surface = surfaceOf(file)
      const symbol = surface?.symbols[ordinal]
      if (surface === undefined || symbol === undefined) return []
      const language = rules(surface.path)
      const { path } = surface
      const counterparts = language?.counterparts?.({ path, ordinal, qualified: symbol.qualified }) ?? []
      const elsewhere = counterparts.flatMap((each): ReadonlyArray<SymbolValue> => {
        const number = numberOf(each.path)
        if (number === undefined || surfaceOf(number) === undefined) return []
        return [{ tag: "symbol", file: number, ordinal: each.ordinal }]
      })
      if (elsewhere.length > 0) return elsewhere
      return (language?.twinsOf?.(path) ?? []).flatMap((path): ReadonlyArray<SymbolValue> => {
        const number = numberOf(path)
        const twin = number === undefined ? undefined : surfaceOf(number)
        const same = twin?.named.get(symbol.qualified)?.[0]
        if (number === undefined || same === undefined || twin?.symbols[same]?.kind !== symbol.kind) return []
        return [{ tag: "symbol", file: number, ordinal: same }]
      })
    },
    forget: cache.forget,
    takeRead: cache.takeRead,
  }
}

/** A file, or a module in it, whose names begin with a prefix. */
interface Module {
  readonly file: number
  readonly prefix: string
  /** True if the names that it imports for itself are seen, too. */
  readonly isInside: boolean
}

const keyOf = ({ file, isInside, prefix }: Module): string => `${file} ${isInside} ${prefix}`

/** The expressions of which a module imports all names, and whether only it and the modules in it see those names. */
const importsOfAll = (
  { exports }: Surface,
  prefix: string,
  isInside: boolean,
): ReadonlyArray<readonly [isOwn: boolean, expression: string]> => [
  ...(exports.get(`${prefix}*`) ?? []).map((expression) => [isInside, expression] as const),
  ...(isInside ? (exports.get(`-${prefix}*`) ?? []) : []).map((expression) => [true, expression] as const),
]

/** Matches the modules around a module of Rust, whose private names it sees. */
const isAround = /^(?:"(?:|super|crate)"(?:\.super)*|#\d+)$/

/** Returns a name without the number of arguments behind it: `add` of `add/2`. */
const withoutCount = (name: string): string => {
  const slash = name.indexOf("/")
  return slash === -1 ? name : name.slice(0, slash)
}

/** Matches `path~2`, `path~2!` and `path~2$1-0`; see `References`. */
const isCall = /^(.+)~(\d+!?)(?:\$(\d+-\d+))?$/

/** The expression of a value of which nothing is known. */
const UNKNOWN = '"~"'

/** The name of the field of a method that tells how many arguments it can have: `1-2`. */
const COUNTS = "()"

const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)

const isSpecifier = (expression: string): boolean =>
  expression.startsWith('"') && expression.indexOf('"', 1) === expression.length - 1

/** The position of the dot before the last member, or -1. Dots in a module specifier do not count. */
const lastDot = (expression: string): number => {
  const dot = expression.lastIndexOf(".")
  return dot > expression.lastIndexOf('"') ? dot : -1
}

/** Returns whether a function has a prototype, so that it returns instances of itself. */
const isConstructor = (surface: Surface | undefined, ordinal: number): boolean =>
  surface?.facts.values.get(ordinal) === `#${ordinal}@`

const isType: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

const isFunction: ReadonlySet<string> = new Set(["function", "method"])

const holdsValue: ReadonlySet<string> = new Set(["constant", "variable", "field", "module"])
