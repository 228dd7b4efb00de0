/**
 * Finds declarations of Kotlin by package and name, in whatever file, and types of Java as well. A specifier is the
 * name of a package. A name with `:` behind it is called: functions come before types then. With `;` it is imported as
 * well, and may be an extension. With `!` it is the declaration that is expected of all systems.
 */
import { closest, type Declaration, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared, extensions }: Files): Rules => {
  /** The extension of a name in a package, which can be called without a receiver where `this` is one. */
  const onlyExtension = (from: string, module: string, name: string): Declaration | undefined => {
    const isSeen = isVisible(from)
    const all = extensions("kotlin", name).methods.filter((each) => each.module === module && isSeen(each))
    return all.length === 1 ? all[0] : undefined
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      const isCalled = /[:;]$/.test(name)
      const word = name.replace(/[:;!]$/, "")
      const module = specifier === UNNAMED ? "" : specifier
      const isSeen = isVisible(from)
      const all = [...declared("kotlin", word), ...declared("java", word)].filter(
        (each) => each.qualified === word && each.module === module && isSeen(each),
      )
      if (name.endsWith("!"))
        return closest(
          from,
          all.filter(({ signature }) => isExpected.test(signature)),
        )
      const isFunction = ({ kind }: Declaration) => kind === "function"
      const others = all.filter((each) => !isFunction(each))
      const functions = isCalled ? all.filter(isFunction) : []
      // An interface often has a function of its name that makes an instance; a class has constructors as well.
      if (functions.length > 0 && others.some(({ kind }) => kind === "class")) return undefined
      if (name.endsWith(";") && all.length === 0) return onlyExtension(from, module, word)
      return chosen(from, functions.length > 0 ? functions : others)
    },
    extensions: (from, name, packages) => {
      const { isMember, methods } = extensions("kotlin", name)
      const isSeen = isVisible(from)
      const visible = methods.filter(
        (each) =>
          isSeen(each) && (packages.includes(each.module || UNNAMED) || packages.includes(`${each.module}.${name}`)),
      )
      return { isMember, methods: withoutActuals(visible), hasReceiver: true, isSameByName: true }
    },
  }
}

/**
 * Returns whether a file sees a declaration. A private one belongs to its file, and so does what a script declares;
 * tests are seen by tests alone.
 */
const isVisible = (from: string): ((declaration: Declaration) => boolean) => {
  const seesTests = isTest.test(from)
  return ({ module, path, signature }) =>
    path === from ||
    (!isPrivate.test(signature) && !(module === "" && path.endsWith(".kts")) && (seesTests || !isTest.test(path)))
}

/** Matches the files of source sets such as `src/test`, `src/jvmTest` and `src/androidTest`. */
const isTest = /(?:^|\/)src\/(?:test|[a-z]\w*Test|test[A-Z]\w*)\//

/** The declaration that a file means: its own one, that for all systems, or the closest one. */
const chosen = (from: string, all: ReadonlyArray<Declaration>): Declaration | undefined => {
  const own = all.filter(({ path }) => path === from)
  return own.length > 0 ? own[0] : (closest(from, all) ?? closest(from, withoutActuals(all)))
}

/** Leaves out what a system has in place of a declaration that is for all of them. */
const withoutActuals = (all: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> =>
  all.some(({ signature }) => isExpected.test(signature))
    ? all.filter(({ signature }) => !isActual.test(signature))
    : all

/** Matches signatures with a modifier, which stands before the word that begins the declaration. */
const withModifier = (modifier: string): RegExp =>
  new RegExp(`^(?:(?!(?:class|interface|object|fun|va[lr]|typealias)\\b)[a-z]+ ){0,8}${modifier}\\b`)

const isPrivate = withModifier("private")

const isExpected = withModifier("expect")

const isActual = withModifier("actual")
