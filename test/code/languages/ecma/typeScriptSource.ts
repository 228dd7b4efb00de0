/** A file of TypeScript with every kind of declaration, good and odd. */

export const source = `/* Copyright of somebody. */

import type { Z } from "z"
import foo, { type Bar as Baz } from "./w.ts"
import eq = require("eq")

/**
 * Adds two numbers.
 *
 * @param a the first
 */
export function add(
  a: number, // not part of it
  b: number,
): number {
  const local = 1
  function inner() {}
  return a + b
}

// The first of a few.
// It goes on.
export const limit = 20, [first, { second: third = 1, ...rest }] = foo()
let counter = 0
const arrow = async <A,>(a: A): Promise<A> => {
  return a
}

/** Overloaded. */
export function over(a: string): void
export function over(a: number): void
export function over(a: unknown) {}

@Injectable()
export abstract class Service<A> extends Base<A> implements Port {
  static #secret = 1
  private readonly items: Map<string, number> = new Map([
    ["a", 1],
  ])
  /** Made by hand. */
  constructor(readonly name: string) {
    super()
  }
  get size(): number {
    return 1
  }
  set size(value: number) {}
  protected find(key: string): void
  protected find(key: number): void
  protected find(key: unknown) {}
  abstract missing(): void
  handle = (event: Event) => {}
  /** The label. */
  @Input()
  label?: string
  static { const hidden = 1 }
  [Symbol.iterator]() {}
  [\`computed\${1}\`]() {}
}

export interface Shape extends Other {
  (call: string): void
  readonly area: number
  scale(by: number): Shape
  scale(by: string): Shape
}
export type Pair<A> = readonly [
  A,
  A,
]
export const enum Color { Red, Green }
const Named = class Inner { method() {} }
const settings = { method() { const x = 1 }, property: () => {} }

namespace Space.Inner {
  export const shown = 1
  const kept = 2
}
declare module "ambient" {
  interface Told { a: string }
  function said(): void
}
declare global {
  var everywhere: number
}
declare function declared(a: string): void
if (foo) { var conditional = 1 }
for (const each of []) { const inLoop = each }
export default class {
  run() {}
}
const late = 1, unsaid = 2
export { late as renamed, Space }
export * from "./all.ts"
export type { T } from "./types.ts"
const lazily = () => import("./lazy.ts")
`
