import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"
import { source } from "./typeScriptSource.ts"

withSymbols("the outline of TypeScript", (it) => {
  it.effect("has functions, classes, types and bindings with their members", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.ts", source)
      assert.deepStrictEqual(rows(outline), [
        "+ function add 12-19",
        "+ constant limit 23-23",
        "+ constant first 23-23",
        "+ constant third 23-23",
        "+ constant rest 23-23",
        "- variable counter 24-24",
        "- function arrow 25-27",
        "+ function over 30-32",
        "+ class Service 34-59",
        "- field Service.#secret 36-36",
        "- field Service.items 37-39",
        "+ method Service.constructor 41-43",
        "+ field Service.name 41-41",
        "+ field Service.size 44-46",
        "- method Service.find 48-50",
        "+ method Service.missing 51-51",
        "+ method Service.handle 52-52",
        "+ field Service.label 54-55",
        "+ method Service.[Symbol.iterator] 57-57",
        "+ interface Shape 61-66",
        "+ field Shape.area 63-63",
        "+ method Shape.scale 64-65",
        "+ type Pair 67-70",
        "+ enum Color 71-71",
        "- class Named 72-72",
        "- method Named.method 72-72",
        "- constant settings 73-73",
        "- method settings.method 73-73",
        "- method settings.property 73-73",
        "- module Space.Inner 75-78",
        "- constant Space.Inner.shown 76-76",
        "- constant Space.Inner.kept 77-77",
        "+ module ambient 79-82",
        "+ interface ambient.Told 80-80",
        "+ field ambient.Told.a 80-80",
        "+ function ambient.said 81-81",
        "+ variable everywhere 84-84",
        "- function declared 86-86",
        "+ class default 89-91",
        "+ method default.run 90-90",
        "+ constant late 92-92",
        "- constant unsaid 92-92",
        "- function lazily 96-96",
      ])
      assert.isUndefined(outline.note)
    }),
  )

  it.effect("has declarations without bodies", () =>
    Effect.gen(function* () {
      const told = signatures(yield* outlined("a.ts", source))
      assert.deepStrictEqual(told, {
        add: "export function add(a: number, b: number): number",
        limit: "export const limit = 20",
        first: "export const [first, { second: third = 1, ...rest }] = foo()",
        third: "export const [first, { second: third = 1, ...rest }] = foo()",
        rest: "export const [first, { second: third = 1, ...rest }] = foo()",
        counter: "let counter = 0",
        arrow: "const arrow = async <A,>(a: A): Promise<A>",
        over: "export function over(a: string): void",
        Service: "export abstract class Service<A> extends Base<A> implements Port",
        "Service.#secret": "static #secret = 1",
        "Service.items": "private readonly items: Map<string, number>",
        "Service.constructor": "constructor(readonly name: string)",
        "Service.size": "get size(): number",
        "Service.find": "protected find(key: string): void",
        "Service.name": "readonly name: string",
        "Service.missing": "abstract missing(): void",
        "Service.handle": "handle = (event: Event)",
        "Service.label": "label?: string",
        "Service.[Symbol.iterator]": "[Symbol.iterator]()",
        Shape: "export interface Shape extends Other",
        "Shape.area": "readonly area: number",
        "Shape.scale": "scale(by: number): Shape",
        Pair: "export type Pair<A> = readonly [A, A]",
        Color: "export const enum Color",
        Named: "const Named = class Inner",
        "Named.method": "method()",
        settings: "const settings = { method() { const x = 1 }, property: () => {} }",
        "settings.method": "method()",
        "settings.property": "property: ()",
        "Space.Inner": "namespace Space.Inner",
        "Space.Inner.shown": "export const shown = 1",
        "Space.Inner.kept": "const kept = 2",
        ambient: 'declare module "ambient"',
        "ambient.Told": "interface Told",
        "ambient.Told.a": "a: string",
        "ambient.said": "function said(): void",
        everywhere: "var everywhere: number",
        declared: "declare function declared(a: string): void",
        default: "export default class",
        "default.run": "run()",
        late: "const late = 1",
        unsaid: "const unsaid = 2",
        lazily: "const lazily = ()",
      })
    }),
  )

  it.effect("has docs, without license headers and trailing comments", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(docs(yield* outlined("a.ts", source)), {
        add: "Adds two numbers.\n\n@param a the first",
        limit: "The first of a few.\nIt goes on.",
        over: "Overloaded.",
        "Service.constructor": "Made by hand.",
        "Service.label": "The label.",
      })
    }),
  )

  it.effect("has imports as they are written", () =>
    Effect.gen(function* () {
      const { imports } = yield* outlined("a.ts", source)
      assert.deepStrictEqual(imports, ["z", "./w.ts", "eq", "./all.ts", "./types.ts", "./lazy.ts"])
    }),
  )
})
