/** The routes of Spring in Java and Kotlin. */
import { joinPath, make, type PrefixRange, prefixAt, type ReadRoutes, type Route } from "../../internal/routes/Route.ts"
import { makeReader, type Part, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { character, line, slashComments } from "../patterns/common.ts"

const read = makeReader([...slashComments, { open: '"""', close: '"""', escapes: true }, line('"'), character])

export const readRoutes: ReadRoutes = (text) => {
  if (!/@(?:Request|Get|Post|Put|Patch|Delete)Mapping\b/.test(text) || !text.includes("org.springframework")) return []
  const source = read(text)
  const ranges: Array<PrefixRange> = []
  const methods: Array<Mapping & { readonly name: string }> = []
  for (const mapping of mappingsIn(source)) {
    const declaration = declarationAfter(source, mapping.end)
    if (declaration === undefined) continue
    if ("name" in declaration) methods.push({ ...mapping, name: declaration.name })
    else ranges.push({ ...declaration, prefix: mapping.paths[0] ?? "" })
  }
  return methods.flatMap(({ end, name, paths, start, verbs }): ReadonlyArray<Route> => {
    const prefix = prefixAt(ranges, start)
    return paths.flatMap((path) =>
      verbs.map((verb) => make(source, start, end, { verb, path: joinPath(prefix, path), handler: name })),
    )
  })
}

interface Mapping {
  readonly start: number
  readonly end: number
  readonly verbs: ReadonlyArray<string>
  /** The paths; `undefined` paths that are no literals are left out. */
  readonly paths: ReadonlyArray<string>
}

const mappingsIn = (source: RouteSource): ReadonlyArray<Mapping> =>
  Array.from(source.code.matchAll(/@(Request|Get|Post|Put|Patch|Delete)Mapping\b(?:\s*(?=\())?/g)).map((match) => {
    const open = match.index + match[0].length
    const parts = source.code[open] === "(" ? source.argumentsIn(open) : []
    const end = source.code[open] === "(" ? (source.closeOf(open) ?? open) + 1 : open
    const path =
      parts.find(({ code }) => /^(?:value|path)\s*=/.test(code)) ?? parts.find(({ code }) => !/^\w+\s*=/.test(code))
    const method = parts.find(({ code }) => /^method\s*=/.test(code))
    const named = Array.from(
      (method?.code ?? "").matchAll(/\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g),
      ([verb]) => verb,
    )
    const verbs = match[1] !== "Request" ? [(match[1] ?? "").toUpperCase()] : named.length > 0 ? named : ["ANY"]
    return { start: match.index, end, verbs, paths: path === undefined ? [""] : literalsIn(source, path) }
  })

const literalsIn = ({ code, stringAt }: RouteSource, part: Part): ReadonlyArray<string> =>
  // A sum of constants and strings has no literal path.
  part.code.includes("+")
    ? []
    : Array.from(code.slice(part.start, part.end).matchAll(/"/g)).flatMap(({ index }) => {
        const value = stringAt(part.start + index)?.value
        return value === undefined || value.includes("${") ? [] : [value]
      })

/** Returns the method behind an annotation, or the extent of the class. */
const declarationAfter = (
  { closeOf, code }: RouteSource,
  from: number,
): { readonly name: string } | { readonly start: number; readonly end: number } | undefined => {
  const annotation = /\s*@[\w.]+(?:\s*(?=\())?/y
  let at = from
  for (let count = 0; count < 30; count++) {
    annotation.lastIndex = at
    const match = annotation.exec(code)
    if (match === null) break
    at += match[0].length
    if (code[at] === "(") at = (closeOf(at) ?? code.length) + 1
  }
  const rest = code.slice(at, at + 600)
  if (
    /^\s*(?:(?:public|private|protected|internal|abstract|final|open|data|sealed|static)\s+){0,5}(?:class|interface|record|object)\s/.test(
      rest,
    )
  ) {
    const brace = code.indexOf("{", at)
    const end = brace === -1 ? undefined : closeOf(brace)
    return end === undefined ? undefined : { start: brace, end }
  }
  const [, name] = /^[^;{}=()@]*?(?:@\w+(?:\([^()]*\))?[^;{}=()@]*?){0,3}\b(\w+)\s*\(/.exec(rest) ?? []
  return name === undefined ? undefined : { name }
}
