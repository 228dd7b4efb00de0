/**
 * The references of a component: those of its scripts, and those of its markup to what the scripts import and define.
 */
import * as References from "../../References.ts"
import type { Outline } from "../../Symbols.ts"

/** A name that the markup uses. */
export interface Mention {
  readonly name: string
  /** 1-based. */
  readonly line: number
}

/** A script's outline, and the ordinals of its symbols in the file. */
interface Part {
  readonly outline: Outline
  readonly text: string
  readonly ordinals: ReadonlyArray<number>
}

/**
 * Returns the references as `References.encode` writes them. `component` is the ordinal of the component, which is the
 * default export.
 */
export const encode = (component: number, parts: ReadonlyArray<Part>, mentions: ReadonlyArray<Mention>): string => {
  const surfaces = parts.map(renumberedSurface)
  const places = new Map<string, Map<number, Set<number>>>()
  const add = (expression: string, symbol: number, lines: ReadonlyArray<number>) => {
    const bySymbol = places.get(expression) ?? new Map<number, Set<number>>()
    places.set(expression, bySymbol)
    const known = bySymbol.get(symbol) ?? new Set<number>()
    bySymbol.set(symbol, known)
    for (const line of lines) known.add(line)
  }
  for (const part of parts) {
    for (const use of References.decodeUses(References.usesOf(part.outline.references))) {
      // Uses outside of all symbols of a script are uses by the component.
      for (const { lines, symbol } of use.places)
        add(renumber(use.expression, part), part.ordinals[symbol] ?? component, lines)
    }
  }
  const known = new Map(parts.flatMap(bindings))
  for (const { line, name } of mentions) {
    const expression = known.get(name)
    if (expression !== undefined) add(expression, component, [line])
  }
  return References.encode({
    exports: [
      { name: "default", expression: `#${component}` },
      ...surfaces.flatMap(({ exports }) => exports).filter(({ name }) => name !== "default"),
    ],
    bases: new Map(surfaces.flatMap(({ bases }) => [...bases])),
    values: new Map(surfaces.flatMap(({ values }) => [...values])),
    fields: surfaces.flatMap(({ fields }) => fields),
    members: surfaces.flatMap(({ members }) => members),
    extensions: surfaces.flatMap(({ extensions }) => extensions),
    parameters: [],
    overloads: surfaces.flatMap(({ overloads }) => overloads),
    uses: Array.from(places, ([expression, bySymbol]) => ({
      expression,
      places: Array.from(bySymbol, ([symbol, lines]) => ({ symbol, lines: [...lines].sort((a, b) => a - b) })),
    })),
  })
}

const renumber = (expression: string, { ordinals }: Part): string =>
  expression.replace(/^#(\d+)/, (text, ordinal: string) => {
    const inFile = ordinals[Number(ordinal)]
    return inFile === undefined ? text : `#${inFile}`
  })

const renumberedSurface = (part: Part): Omit<References.FileReferences, "uses"> => {
  const surface = References.decodeSurface(References.surfaceOf(part.outline.references))
  const ordinal = (before: number) => part.ordinals[before] ?? before
  const named = <A extends References.NamedExpression>(each: A): A => ({
    ...each,
    expression: renumber(each.expression, part),
  })
  return {
    ...surface,
    exports: surface.exports.map(named),
    bases: new Map(
      Array.from(surface.bases, ([owner, all]) => [ordinal(owner), all.map((each) => renumber(each, part))]),
    ),
    values: new Map(Array.from(surface.values, ([owner, each]) => [ordinal(owner), renumber(each, part)])),
    fields: surface.fields.map((field) => ({ ...named(field), owner: ordinal(field.owner) })),
    members: surface.members.map(named),
    overloads: surface.overloads.map(ordinal),
  }
}

/** Returns the meaning of the names at the top of a script: its symbols, and its imports. */
const bindings = ({ ordinals, outline, text }: Part): ReadonlyArray<readonly [name: string, expression: string]> => {
  const imported: Array<readonly [string, string]> = []
  for (const [, first, list = "", module] of text.matchAll(importStatement)) {
    const from = JSON.stringify(module)
    if (first !== undefined) imported.push([first, `${from}.default`])
    for (const [, name = "", alias = name] of list.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g)) {
      if (name !== "type") imported.push([alias, `${from}.${name}`])
    }
  }
  const defined = outline.symbols.flatMap(({ container, name }, index) =>
    container === undefined ? [[name, `#${ordinals[index] ?? 0}`] as const] : [],
  )
  return [...imported, ...defined]
}

const importStatement =
  /\bimport\s+(?!type\b)(?:([\w$]{1,200})\s*,?\s*)?(?:\{([^{}]{0,2000})\}\s*)?from\s*["']([^"'\n]+)["']/g
