/**
 * Finds constants of Ruby by their qualified names, in whatever file. A specifier is `=A.B` for the constants of `A::B`
 * alone, `=` for those outside of all modules, and otherwise the modules around a place, innermost first, with `<`
 * between them: `A.B.C<A`.
 */
import { closest, type Declaration, type Declared, type Files, type Rules } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared }: Files): Rules => {
  const chosen = memoize<Declared | undefined>()
  const peers = memoize<ReadonlyArray<string>>()
  const known = memoize<Parts>()

  const partsOf = (qualified: string): Parts =>
    known(qualified, () => {
      const files = new Map<string, Declaration>()
      for (const each of declared("ruby", lastName(qualified))) {
        if (each.qualified === qualified && !files.has(each.path)) files.set(each.path, each)
      }
      const all = Array.from(files.values())
      const named = all.filter(({ path }) => isNamedAfter(path, qualified))
      return { files, all, named, code: all.filter(({ path }) => !isAside.test(path)) }
    })

  const choose = (from: string, { all, code, files, named }: Parts): Declared | undefined => {
    if (all.length < 2) return all[0]
    // A class may be reopened in any file; the one of its name has its main part.
    if (named.length > 0) return closest(from, named)
    const own = files.get(from)
    if (own !== undefined) return own
    if (code.length === 0) return all.length > MAX_COMPARED ? undefined : closest(from, all)
    const best = code.length > MAX_COMPARED ? undefined : closest(from, code)
    // Parts of one class are all right; several constants are not.
    if (best !== undefined || code.some(({ kind }) => kind === "constant")) return best
    return code.reduce((one, other) => (other.path.length < one.path.length ? other : one))
  }

  const find = (from: string, qualified: string): Declared | undefined =>
    chosen(`${from} ${qualified}`, () => choose(from, partsOf(qualified)))

  /** Returns whether a module is that of a library, which several files of the project add something to. */
  const isForeign = (name: string): boolean => {
    const { all, named } = partsOf(name)
    return all.length > 1 && named.length === 0 && all.every(({ kind }) => kind === "module")
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      if (specifier.startsWith("=")) return find(from, qualify(specifier.slice(1), name))
      for (const around of specifier.split("<")) {
        const found = find(from, qualify(around, name))
        if (found !== undefined) return found
      }
      return core.has(name) || isForeign(name) ? undefined : find(from, name)
    },
    peersOf: (file, qualified) =>
      peers(`${file} ${qualified}`, () => {
        const isMain = isNamedAfter(file, qualified)
        return partsOf(qualified)
          .code.filter(({ kind, path }) => path !== file && kind !== "constant")
          .filter(({ path }) => !isMain || !isNamedAfter(path, qualified))
          .slice(0, MAX_PARTS)
          .map(({ path }) => path)
      }),
    enclosing: (specifier) => {
      const [innermost = ""] = specifier.split("<")
      const dot = innermost.lastIndexOf(".")
      if (specifier.startsWith("=") || innermost === "") return undefined
      return `"=${dot === -1 ? "" : innermost.slice(0, dot)}".${innermost.slice(dot + 1)}^`
    },
    members: "mixed",
  }
}

/** The files that declare a class or module, or a constant, of a qualified name. */
interface Parts {
  readonly files: ReadonlyMap<string, Declaration>
  readonly all: ReadonlyArray<Declaration>
  /** The declarations in files of its name. */
  readonly named: ReadonlyArray<Declaration>
  /** The declarations outside of tests and examples. */
  readonly code: ReadonlyArray<Declaration>
}

/** The most parts of which the closest is sought. */
const MAX_COMPARED = 50

/** The most further parts of a class whose members are looked up. */
const MAX_PARTS = 100

/** The most results that are remembered. */
const MAX_REMEMBERED = 50_000

const memoize = <A>(): ((key: string, compute: () => A) => A) => {
  const known = new Map<string, { readonly value: A }>()
  return (key, compute) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = compute()
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(key, { value })
    return value
  }
}

const qualify = (around: string, name: string): string => (around === "" ? name : `${around}.${name}`)

const lastName = (qualified: string): string => qualified.slice(qualified.lastIndexOf(".") + 1)

/** Matches files that reopen classes or declare some for themselves. */
const isAside = /(?:^|\/)(?:tests?|specs?|examples?|samples?|features|benchmarks?|bench|fixtures|templates|rails_app)\//

/**
 * Returns whether a file has the name of a class by the convention that loaders follow: `A::FooBar` in `a/foo_bar.rb`.
 */
const isNamedAfter = (path: string, qualified: string): boolean => {
  const name = qualified
    .split(".")
    .map((part) => part.replace(/([a-z\d])([A-Z])|([A-Z]+)([A-Z][a-z])/g, "$1$3_$2$4").toLowerCase())
    .join("/")
  const plain = qualified.replaceAll(".", "/").toLowerCase()
  return [name, plain].some((each) => path === `${each}.rb` || path.endsWith(`/${each}.rb`))
}

/** Constants of the language. A project that reopens such a class does not declare it. */
const core: ReadonlySet<string> = new Set(
  `ARGF ARGV Array BasicObject Binding Class Comparable Complex Dir ENV Encoding Enumerable Enumerator Exception FalseClass
   Fiber File FileTest Float Hash IO Integer Kernel Marshal MatchData Math Method Module Mutex NilClass Numeric Object
   ObjectSpace Proc Process Queue Random Range Rational Regexp RuntimeError STDERR STDIN STDOUT Signal StandardError String
   StringIO Struct Symbol Thread Time TrueClass`.split(/\s+/),
)
