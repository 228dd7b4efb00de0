/**
 * The meaning of expressions, with surfaces that are written by hand: one rule at a time,
 * which no language is needed for.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Extensions, Rules } from "../../../../src/code/ModuleRules.ts"
import * as Evaluator from "../../../../src/index/IndexStore/internal/references/Evaluator.ts"
import type { Surface } from "../../../../src/index/IndexStore/internal/references/Surfaces.ts"

interface Source {
  /** `class Box`, `method Box.go`: the kind and the qualified name of each symbol, by ordinal. */
  readonly symbols?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly values?: Readonly<Record<number, string>>
  readonly bases?: Readonly<Record<number, ReadonlyArray<string>>>
  /** The keys are `ordinal name`. */
  readonly fields?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, string>>
  readonly passes?: ReadonlyArray<readonly [object: string, module: string, argument: number]>
  readonly parameters?: ReadonlyArray<string>
}

const numbersOf = <A>(record: Readonly<Record<number, A>> = {}): ReadonlyMap<number, A> =>
  new Map(Object.entries(record).map(([ordinal, value]) => [Number(ordinal), value]))

const toSurface = (path: string, number: number, source: Source): Surface => {
  const symbols = (source.symbols ?? []).map((text) => {
    const [kind = "", qualified = ""] = text.split(" ")
    return { kind, qualified }
  })
  const named = Map.groupBy(symbols.keys(), (ordinal) => symbols[ordinal]?.qualified ?? "")
  return {
    number,
    path,
    symbols,
    named,
    facts: {
      exports: [],
      bases: numbersOf(source.bases),
      values: numbersOf(source.values),
      fields: [],
      members: [],
      extensions: (source.passes ?? []).map(([object, module, argument]) => ({ object, module, argument })),
      parameters: source.parameters ?? [],
      overloads: [],
    },
    exports: new Map(Object.entries(source.exports ?? {})),
    fields: new Map(Object.entries(source.fields ?? {})),
    members: new Map(Object.entries(source.members ?? {})),
  }
}

type Sources = Readonly<Record<string, Source>>

/** An evaluator of files whose specifiers are their paths. `noteRead` is called for each surface that is read. */
const make = (sources: Sources, rules: Partial<Rules> = {}, noteRead: (path: string) => void = () => {}) => {
  const paths = Object.keys(sources)
  const surfaces = Object.entries(sources).map(([path, source], number) => toSurface(path, number, source))
  return Evaluator.make({
    surfaces: {
      of: (number) => {
        noteRead(paths[number] ?? "")
        return surfaces[number]
      },
    },
    declaring: (name) =>
      new Map(
        surfaces.flatMap(({ named, number, symbols }) => {
          const [ordinal] = named.get(name) ?? []
          return ordinal === undefined ? [] : [[number, { ordinal, kind: symbols[ordinal]?.kind ?? "" }] as const]
        }),
      ),
    rules: () => ({ resolve: (_, specifier) => (paths.includes(specifier) ? [specifier] : []), ...rules }),
    numberOf: (path) => (paths.includes(path) ? paths.indexOf(path) : undefined),
  })
}

/** The symbol that an expression of the first file denotes, as `path name`. */
const evaluate = (sources: Sources, expression: string, rules?: Partial<Rules>): string | undefined => {
  const found = make(sources, rules).symbolOf(0, expression)
  if (found === undefined) return undefined
  const [path = "", source] = Object.entries(sources)[found.file] ?? []
  return `${path} ${source?.symbols?.[found.ordinal]?.split(" ")[1]}#${found.ordinal}`
}

describe("Evaluator: modules of many files", () => {
  const many = Array.from({ length: 40 }, (_, n) => `plain${n}`)
  const sources: Sources = {
    from: {},
    ...Object.fromEntries(
      many.map((path, n) => [path, { symbols: [`variable v${n}`], exports: { [`v${n}`]: ["#0"] } }]),
    ),
    renaming: { symbols: ["function go"], exports: { renamed: ["#0"] } },
    passing: { exports: { "*": ['"other"'] } },
    other: { symbols: ["function far"] },
  }
  const rules: Partial<Rules> = {
    resolve: (_, specifier) => (specifier === "all" ? [...many, "renaming", "passing"] : [specifier]),
  }

  it.each([
    ["v0", "plain0 v0#0"],
    ["v39", "plain39 v39#0"],
    ["renamed", "renaming go#0"],
    ["far", "other far#0"],
    ["none", undefined],
  ])("find %s", (name, found) => {
    // A first name may have all files read; the second time they are known.
    const evaluator = make(sources, rules)
    for (const each of ["none", name]) evaluator.symbolOf(0, `"all".${each}`)
    const symbol = evaluator.symbolOf(0, `"all".${name}`)
    const path = Object.keys(sources)[symbol?.file ?? 0]
    assert.strictEqual(symbol && `${path} ${sources[path ?? ""]?.symbols?.[0]?.split(" ")[1]}#${symbol.ordinal}`, found)
    assert.strictEqual(evaluate(sources, `"all".${name}`, rules), found)
  })

  it("are read once, and then only the files that may have the name", () => {
    let read: Array<string> = []
    const evaluator = make(sources, rules, (path) => read.push(path))
    evaluator.symbolOf(0, '"all".none')
    assert.includeMembers(read, many)
    read = []
    evaluator.symbolOf(0, '"all".v39')
    assert.sameMembers(
      [...new Set(read)].filter((path) => path !== "from"),
      ["plain39"],
    )
  })

  it("are a condition of the result, also the files that are not read", () => {
    const evaluator = make(sources, rules)
    evaluator.symbolOf(0, '"all".none')
    evaluator.takeRead()
    evaluator.symbolOf(0, '"all".v39')
    assert.includeMembers(
      [...evaluator.takeRead()],
      many.map((_, n) => n + 1),
    )
  })

  it("are not read for a member that another file of the package declares", () => {
    const sources: Sources = {
      type: { symbols: ["class Tree"] },
      ...Object.fromEntries(many.map((path, n) => [path, { symbols: [`method Tree.grow${n}`] }])),
    }
    const read = new Set<string>()
    const evaluator = make(sources, { peersOf: () => many }, (path) => read.add(path))
    assert.deepStrictEqual(evaluator.symbolOf(0, "#0().grow39"), { tag: "symbol", file: 40, ordinal: 0 })
    assert.sameMembers([...read], ["type", "plain39"])
    assert.includeMembers(
      [...evaluator.takeRead()],
      many.map((_, n) => n + 1),
    )
  })
})

describe("Evaluator: modules", () => {
  const sources: Sources = {
    a: {},
    b: { symbols: ["function go", "variable kept"], exports: { other: ["#0"], "=": ["#0"], "-own": ["#1"] } },
    all: { exports: { "*": ['"b"'], stop: ['"b".go'] } },
    around: { exports: { "*": ['"all"', '"none"'], "-*": ['"b"'] } },
    kit: { symbols: ["class Kit", "method Kit.go"], exports: { "=": ["#0"] } },
    value: { symbols: ["variable value"], exports: { "=": ["#0"] } },
    first: { exports: { go: ['"none".x', '"b".go'] } },
  }

  it.each<readonly [expression: string, found: string | undefined]>([
    ['"b".go', "b go#0"],
    ['"b".other', "b go#0"],
    ['"b".own', "b kept#1"],
    ['"b".none', undefined],
    ['"none".go', undefined],
    ['"all".go', "b go#0"],
    ['"all".stop', "b go#0"],
    ['"around".go', "b go#0"],
    ['"first".go', "b go#0"],
    ['"b".default', "b go#0"],
    // The module may be a function or a type itself, but no value.
    ['"b"', "b go#0"],
    ['"kit"', "kit Kit#0"],
    ['"value"', undefined],
    ['"all"', undefined],
    ['"kit".go', "kit Kit.go#1"],
    ['"kit"().go', "kit Kit.go#1"],
    ['"kit"@.go', "kit Kit.go#1"],
  ])("finds what %s means", (expression, found) => {
    assert.strictEqual(evaluate(sources, expression), found)
  })

  it("sees names that a module imports for itself from inside alone", () => {
    const inner: Sources = {
      a: { exports: { "-*": ['"b"'], "*": ['"c"'] } },
      b: { symbols: ["function inB"], exports: { "-*": ['"d"'] } },
      c: { symbols: ["function inC"], exports: { "-*": ['"d"'], "-own": ["#0"] } },
      d: { symbols: ["function inD"] },
    }
    assert.strictEqual(evaluate(inner, '"a".inB'), "b inB#0")
    assert.strictEqual(evaluate(inner, '"a".inC'), "c inC#0")
    assert.isUndefined(evaluate(inner, '"a".inD'))
    assert.isUndefined(evaluate(inner, '"a".own'))
    assert.strictEqual(evaluate(inner, '"c".own'), "c inC#0")
  })

  it("finds none of a name that two imports bring in, where the language says so, unless they are the same", () => {
    const doubles: Sources = {
      a: { exports: { "*": ['"b"', '"c"'] } },
      b: { symbols: ["function go"], exports: { shared: ['"d".shared'] } },
      c: { symbols: ["function go", "function onlyC"], exports: { shared: ['"d".shared'] } },
      d: { symbols: ["function shared"] },
    }
    assert.strictEqual(evaluate(doubles, '"a".go'), "b go#0")
    assert.isUndefined(evaluate(doubles, '"a".go', { hidesDoubles: true }))
    assert.strictEqual(evaluate(doubles, '"a".onlyC', { hidesDoubles: true }), "c onlyC#1")
    assert.strictEqual(evaluate(doubles, '"a".shared', { hidesDoubles: true }), "d shared#0")
    assert.strictEqual(evaluate(doubles, '"b".go', { hidesDoubles: true }), "b go#0")
  })

  it("ends where modules export each other, and sees what a module returns alone where the language says so", () => {
    const circle: Sources = {
      a: { exports: { "*": ['"b"'] } },
      b: { symbols: ["function go"], exports: { "*": ['"a"'] } },
    }
    assert.isUndefined(evaluate(circle, '"a".none'))
    assert.strictEqual(evaluate(circle, '"a".go'), "b go#0")
    assert.isUndefined(evaluate(circle, '"a".go', { exportsByReturn: true }))
  })

  it("finds modules below one, and members of namespaces that are declared anywhere", () => {
    const below: Sources = { a: {}, kit: { symbols: ["function go"] }, part: { symbols: ["function turn"] } }
    const rules: Partial<Rules> = {
      below: (path, name) => (path === "kit" && name === "part" ? ["part"] : []),
      member: (_, namespace, name) => (`${namespace}.${name}` === "N.M.go" ? { path: "kit", ordinal: 0 } : undefined),
      join: (specifier, name) => `${specifier}.${name}`,
    }
    assert.strictEqual(evaluate(below, '"kit".part.turn', rules), "part turn#0")
    assert.strictEqual(evaluate(below, '"N".M.go', rules), "kit go#0")
    assert.isUndefined(evaluate(below, '"N".go', rules))
    assert.isUndefined(evaluate(below, '"N".M.go', { ...rules, join: undefined }))
    assert.strictEqual(evaluate(below, '"N.M".go', { ...rules, join: undefined }), "kit go#0")
    assert.isUndefined(evaluate(below, '"N.M".go', { ...rules, member: () => ({ path: "none", ordinal: 0 }) }))
  })
})

describe("Evaluator: types and values", () => {
  const sources: Sources = {
    a: {
      symbols: [
        "class Box", // 0
        "method Box.open", // 1
        "class Crate", // 2
        "method Crate.open", // 3
        "function make", // 4
        "variable box", // 5
        "field Crate.inner", // 6
        "method Crate.peek", // 7
        "type Alias", // 8
        "function Old", // 9
        "method Old.run", // 10
        "module Inner", // 11
        "function Inner.go", // 12
        "module Renamed", // 13
        "function bare", // 14
        "variable loop", // 15
        "variable back", // 16
        "variable alias", // 17
      ],
      bases: { 2: ["#0"] },
      values: { 4: "#0@", 5: "#4()", 8: "#2@", 9: "#9@", 13: '"b"', 15: "#16", 16: "#15", 17: "#0" },
      fields: { "2 inner": "#0@", "2 list": "#0@[", "2 peek": "#0@" },
      members: { "tools.box": "#5" },
    },
    b: { symbols: ["function far"] },
  }

  it.each<readonly [expression: string, found: string | undefined]>([
    ["#0.open", "a Box.open#1"],
    ["#0().open", "a Box.open#1"],
    ["#0@.open", "a Box.open#1"],
    ["#0@.none", undefined],
    // The first has what a function returns, the second what a variable holds.
    ["#4().open", "a Box.open#1"],
    ["#4@.open", undefined],
    ["#14().open", undefined],
    ["#5.open", "a Box.open#1"],
    ["#17().open", "a Box.open#1"],
    ["#17@.open", "a Box.open#1"],
    ["&tools.box.open", "a Box.open#1"],
    ["&tools.none.open", undefined],
    // Own members come first, then those of bases, which alone are meant by `^`.
    ["#2@.open", "a Crate.open#3"],
    ["#2@^.open", "a Box.open#1"],
    ["#2^.open", "a Box.open#1"],
    ["#0@^.open", undefined],
    // Fields, and properties that are methods.
    ["#2@.inner", "a Crate.inner#6"],
    ["#2@.inner.open", "a Box.open#1"],
    ["#6.open", "a Box.open#1"],
    ["#7.open", "a Box.open#1"],
    // A collection and its elements; the brackets of a type hold its arguments.
    ["#2@.list].open", "a Box.open#1"],
    ["#2@.list.open", undefined],
    ["#0@[].open", "a Box.open#1"],
    ["#0].open", "a Box.open#1"],
    ["#4].open", undefined],
    ["#2@.list@].open", "a Box.open#1"],
    // Another name for a type, and a function with a prototype.
    ["#8@.open", "a Crate.open#3"],
    ["#9@.run", "a Old.run#10"],
    ["#9().run", "a Old.run#10"],
    ["#14@.run", undefined],
    // Modules within a file.
    ["#11.go", "a Inner.go#12"],
    ["#13.far", "b far#0"],
    ["#15.open", undefined],
    ["#15", "a loop#15"],
    ["?", undefined],
  ])("finds what %s means", (expression, found) => {
    assert.strictEqual(evaluate(sources, expression), found)
  })

  it("finds members that objects get, from the file itself and from modules to which they are passed", () => {
    const passing: Sources = {
      a: { symbols: ["function app.start"], passes: [["app", "b", 1]], members: { "app.held": '"b".helper' } },
      b: {
        symbols: ["function server.stop", "function server.deep.down", "function helper"],
        parameters: ["other", "server"],
      },
      c: { symbols: ["function other"] },
    }
    assert.strictEqual(evaluate(passing, "&app.start"), "a app.start#0")
    assert.strictEqual(evaluate(passing, "&app.stop"), "b server.stop#0")
    assert.strictEqual(evaluate(passing, "&app.deep.down"), "b server.deep.down#1")
    assert.strictEqual(evaluate(passing, "&app.held"), "b helper#2")
    assert.isUndefined(evaluate(passing, "&apple.stop"))
    // The file has a part of the object, and the module that is given the object adds to that part.
    const divided = { ...passing, a: { ...passing.a, symbols: ["function app.deep.up"] } }
    assert.strictEqual(evaluate(divided, "&app.deep.up"), "a app.deep.up#0")
    assert.strictEqual(evaluate(divided, "&app.deep.down"), "b server.deep.down#1")
    // A module that is given an object says nothing of one whose name begins so, nor of what the object stands in.
    const alike = { ...passing, b: { ...passing.b, symbols: ["function serverle.stop"] } }
    assert.isUndefined(evaluate(alike, "&apple.stop"))
    assert.isUndefined(evaluate({ ...passing, a: { ...passing.a, passes: [["app.deep", "b", 1]] } }, "&app.stop"))
    assert.isUndefined(evaluate(passing, "&app.none"))
    // The module sees the object as its parameter.
    const { a = {}, b = {} } = passing
    const turned: Sources = { b, a }
    const rules: Partial<Rules> = { callersOf: (path) => (path === "b" ? ["none", "a"] : []) }
    assert.strictEqual(evaluate(turned, "%1.start", rules), "a app.start#0")
    assert.isUndefined(evaluate(turned, "%0.start", rules))
    assert.isUndefined(evaluate(turned, "%1.start"))
  })

  it("finds members that other parts of a type declare, or inherit", () => {
    const parts: Sources = {
      a: { symbols: ["class Box"] },
      b: { symbols: ["class Box", "method Box.open"], bases: { 0: ["#2"] }, fields: {} },
      c: { symbols: ["class Base", "method Base.close"] },
    }
    const withBase = { ...parts, b: { ...parts.b, bases: { 0: ['"c".Base'] } } }
    const peersOf: Rules["peersOf"] = (path, qualified) => (path === "a" && qualified === "Box" ? ["none", "b"] : [])
    assert.isUndefined(evaluate(withBase, "#0@.open"))
    assert.strictEqual(evaluate(withBase, "#0@.open", { peersOf }), "b Box.open#1")
    // Only where a type is one in all files of a namespace.
    assert.isUndefined(evaluate(withBase, "#0@.close", { peersOf }))
    assert.strictEqual(evaluate(withBase, "#0@.close", { peersOf, member: () => undefined }), "c Base.close#1")
    assert.isUndefined(evaluate(parts, "#0@.close", { peersOf, member: () => undefined }))
  })

  it("finds the same symbol in files for other systems", () => {
    const evaluator = make(
      {
        a: { symbols: ["function go", "class stop"] },
        b: { symbols: ["class other", "function go", "function stop"] },
      },
      { twinsOf: (path) => (path === "a" ? ["none", "b"] : []) },
    )
    const twinsOf = (file: number, ordinal: number) => evaluator.twinsOf({ tag: "symbol", file, ordinal })
    assert.deepStrictEqual(twinsOf(0, 0), [{ tag: "symbol", file: 1, ordinal: 1 }])
    // A class is no twin of a function.
    assert.deepStrictEqual(twinsOf(0, 1), [])
    assert.deepStrictEqual(twinsOf(1, 1), [])
    assert.deepStrictEqual(twinsOf(0, 9), [])
  })
})

describe("Evaluator: calls by their number of arguments", () => {
  const box: Source = {
    symbols: [
      "class Box", // 0
      "method Box.add", // 1
      "method Box.add", // 2
      "method Box.add", // 3
      "class Base", // 4
      "method Base.add", // 5
      "class Box", // 6
      "method Box.add", // 7
      "method Box.plain", // 8
    ],
    bases: { 0: ["#4"] },
    fields: {
      "1 ()": "0-1",
      "2 ()": "2-2",
      "3 ()": "4-6",
      "5 ()": "3-3",
      "7 ()": "2-2",
      "0 two": "?",
      "0 add/9": "#2",
    },
  }

  it.each<readonly [expression: string, found: string | undefined]>([
    ["#0@.add~0", "a Box.add#1"],
    ["#0@.add~1", "a Box.add#1"],
    ["#0@.add~2", "a Box.add#2"],
    ["#0@.add~4", "a Box.add#3"],
    ["#0@.add~6", "a Box.add#3"],
    ["#0@.add~3", "a Base.add#5"],
    ["#0@.add~7", undefined],
    ["#1~2", "a Box.add#2"],
    ["#1~7", undefined],
    // Each of two types of one name has its own.
    ["#6@.add~2", "a Box.add#7"],
    ["#6@.add~1", undefined],
    ["#6@.plain~5", "a Box.plain#8"],
    ["#0@.add/9", "a Box.add#2"],
  ])("finds what %s means", (expression, found) => {
    assert.strictEqual(evaluate({ a: box }, expression), found)
  })

  it("finds none of several that can have that number", () => {
    const several = { a: { ...box, fields: { ...box.fields, "3 ()": "2-6" } } }
    assert.isUndefined(evaluate(several, "#0@.add~2"))
    assert.strictEqual(evaluate(several, "#0@.add~4"), "a Box.add#3")
  })

  const lifts: Source = {
    symbols: ["function lift", "function lift", "class Far"],
    fields: { "0 this": '"a".Box@', "0 ()": "1-2", "1 this": '"lifts".Far@', "1 ()": "1-1" },
  }
  const extending = (extensions: Partial<Extensions> = {}): Partial<Rules> => ({
    extensions: (_, name, namespaces) => ({
      methods:
        name === "lift" && namespaces.includes("kit")
          ? [0, 1].map((ordinal) => ({
              path: "lifts",
              ordinal,
              qualified: "lift",
              kind: "method",
              arity: 0,
              module: "",
              signature: "",
            }))
          : [],
      isMember: false,
      ...extensions,
    }),
  })
  const a: Source = {
    symbols: ["class Box", "class Small", "variable box", "class Own", "method Own.lift"],
    bases: { 1: ["#0"] },
    values: { 2: "#0@" },
    exports: { using: ['"kit"'] },
  }

  it.each<readonly [expression: string, found: string | undefined]>([
    ["#0@.lift~0", "lifts lift#0"],
    ["#0@.lift~1", "lifts lift#0"],
    ["#0@.lift~2", undefined],
    ["#1@.lift~0", "lifts lift#0"],
    ["#2.lift~0", "lifts lift#0"],
    ["#3@.lift~0", "a Own.lift#4"],
    ["#0.lift~0", undefined],
    // Two fit a value of which nothing is known, but one of them alone a call with an argument.
    ['"~".lift~0', undefined],
    ['"~".lift~1', "lifts lift#0"],
    ['"~".lift~1!', undefined],
    ["#0@.none~0", undefined],
  ])("finds the extension method that %s means", (expression, found) => {
    assert.strictEqual(evaluate({ a, lifts }, expression, extending()), found)
  })

  it("finds none that the file cannot see, or whose name a type declares where nothing is known of the value", () => {
    const blind = { a: { ...a, exports: {} }, lifts }
    assert.isUndefined(evaluate(blind, "#0@.lift~0", extending()))
    assert.isUndefined(evaluate({ a, lifts }, '"~".lift~1', extending({ isMember: true })))
    assert.strictEqual(evaluate({ a, lifts }, "#0@.lift~0", extending({ isMember: true })), "lifts lift#0")
    assert.isUndefined(evaluate({ a, lifts }, "#0@.lift~0"))
  })

  it("finds the extension of a type of a library that is written alike, where the language says so", () => {
    const context = '"lib".Context@'
    const a: Source = { symbols: ["variable context"], values: { 0: context }, exports: { using: ['"kit"'] } }
    const lifts: Source = { symbols: ["method lift"], fields: { "0 this": context, "0 ()": "0-0" } }
    const rules: Partial<Rules> = {
      extensions: () => ({
        methods: [
          { path: "lifts", ordinal: 0, qualified: "lift", kind: "method", arity: 0, module: "", signature: "" },
        ],
        isMember: true,
        hasReceiver: true,
        isSameByName: true,
      }),
    }
    assert.strictEqual(evaluate({ a, lifts }, "#0.lift~0!", rules), "lifts lift#0")
    assert.strictEqual(evaluate({ a, lifts }, '"lib".Context:~1().lift~0!', rules), "lifts lift#0")
    assert.isUndefined(evaluate({ a, lifts }, '"lib".Other@.lift~0!', rules))
  })

  it("goes outward to the types around a type, and to the packages whose names the file sees", () => {
    const a: Source = {
      symbols: ["class Outer", "class Outer.Inner", "method Outer.go", "method Outer.Inner.run"],
      exports: { using: ['"kit"'] },
    }
    const kit: Source = { symbols: ["function turn"] }
    const rules: Partial<Rules> = {
      member: (_, specifier, name) =>
        specifier === "kit" && name === "turn:" ? { path: "kit", ordinal: 0 } : undefined,
    }
    assert.strictEqual(evaluate({ a, kit }, "#1@.run>", rules), "a Outer.Inner.run#3")
    assert.strictEqual(evaluate({ a, kit }, "#1@.go/0~0!>", rules), "a Outer.go#2")
    assert.strictEqual(evaluate({ a, kit }, "#1@.turn/0~0>", rules), "kit turn#0")
    assert.strictEqual(evaluate({ a, kit }, '"lib".Other@.go>0', rules), "a Outer.go#2")
    assert.isUndefined(evaluate({ a, kit }, '"lib".Other@.go>!0', rules))
  })

  it("gives parameters of functions among the arguments what a method passes to them", () => {
    const each: Source = {
      symbols: ["class List", "method List.each", "class Item", "method Item.go", "class Lifts", "function Lifts.all"],
      fields: { "1 $0-0": "#2@", "1 $*-1": "#2@", "5 this": "#0@", "5 $1-0": "#2@" },
    }
    assert.strictEqual(evaluate({ a: each }, "#0@.each~1$0-0.go"), "a Item.go#3")
    assert.strictEqual(evaluate({ a: each }, "#0@.each~3$2-1.go"), "a Item.go#3")
    assert.isUndefined(evaluate({ a: each }, "#0@.each~1$0-2.go"))
    assert.isUndefined(evaluate({ a: each }, "#0@.none~1$0-0.go"))
    // The first parameter of an extension method is no argument, unless it is called as a member of its class.
    assert.strictEqual(evaluate({ a: each }, "#5~1$0-0.go"), "a Item.go#3")
    assert.isUndefined(evaluate({ a: each }, "#5~1$1-0.go"))
    assert.strictEqual(evaluate({ a: each }, "#4.all~2$1-0.go"), "a Item.go#3")
    assert.isUndefined(evaluate({ a: each }, "#4.all~2$0-0.go"))
  })
})

describe("Evaluator: files that are read", () => {
  it("names all files that a result depends on, also one that comes from the cache", () => {
    const evaluator = make({ a: {}, b: { exports: { go: ['"c".go'] } }, c: { symbols: ["function go"] }, d: {} })
    const sorted = () => evaluator.takeRead().toSorted()
    assert.isDefined(evaluator.symbolOf(0, '"b".go'))
    assert.deepStrictEqual(sorted(), [0, 1, 2])
    assert.deepStrictEqual(sorted(), [])
    assert.isDefined(evaluator.symbolOf(0, '"b".go'))
    assert.deepStrictEqual(sorted(), [0, 1, 2])
    evaluator.forget(0)
    assert.isUndefined(evaluator.symbolOf(0, '"d".go'))
    assert.deepStrictEqual(sorted(), [0, 3])
  })
})
