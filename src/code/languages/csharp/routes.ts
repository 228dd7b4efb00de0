/** The routes of ASP.NET in C#: attributes of controllers, and `app.MapGet`. */
import { handlerIn, joinPath, make, type ReadRoutes, type Route, readable } from "../../internal/routes/Route.ts"
import { makeReader, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { line, slashComments } from "../patterns/common.ts"

const read = makeReader([
  ...slashComments,
  { open: '\\$*"""', close: '"""' },
  { open: '(?:@\\$?|\\$@)"', close: '"' },
  { ...line('"'), open: '\\$"' },
  line('"'),
  { open: "'(?:\\\\[^\\n]{1,8}?|[^'\\\\\\n])'", close: "" },
])

export const readRoutes: ReadRoutes = (text) => {
  if (!mayHaveRoutes.test(text)) return []
  const source = read(text)
  return [...controllers(source), ...registrations(source)]
}

const mayHaveRoutes =
  /\[\s*(?:Http(?:Get|Post|Put|Patch|Delete|Head|Options)|Route)\b|\.\s*Map(?:Get|Post|Put|Patch|Delete|Methods)\s*\(/

/** Reads `[HttpGet("{id}")]` before the methods of a class, with the prefix of its `[Route("api/[controller]")]`. */
const controllers = (source: RouteSource): ReadonlyArray<Route> => {
  const { closeOf, code } = source
  const classes = Array.from(code.matchAll(/\bclass\s+(\w+)/g)).flatMap(({ 1: name = "", index }) => {
    const brace = code.indexOf("{", index)
    const end = closeOf(brace)
    return end === undefined ? [] : [{ name, start: index, brace, end }]
  })
  return readable(classes, source).flatMap(({ brace, end, name, start }): ReadonlyArray<Route> => {
    const controller = name.replace(/Controller$/, "")
    const before = attributesBefore(source, start)
    const prefix = before.find(({ name }) => name === "Route")?.path ?? ""
    const found: Array<Route> = []
    for (const attribute of code.slice(brace, end).matchAll(/\[\s*(Http(Get|Post|Put|Patch|Delete|Head|Options))\b/g)) {
      const at = brace + attribute.index
      const close = closeOf(at)
      const action = close === undefined ? undefined : methodAfter(source, close + 1)
      if (close === undefined || action === undefined) continue
      const all = [...attributesBefore(source, at), ...attributesAt(source, at)]
      const own = all.find(({ name, start }) => start >= at && name === attribute[1])
      if (own?.path === undefined && own?.hasPath) continue
      const route = attributesAt(source, at)
        .concat(attributesBefore(source, at))
        .find(({ name }) => name === "Route")
      const path = (own?.path ?? "") === "" ? (route?.path ?? "") : (own?.path ?? "")
      if (prefix === "" && path === "") continue
      const isAbsolute = /^~?\//.test(path)
      const joined = joinPath(isAbsolute ? "" : prefix, path.replace(/^~/, ""))
        .replaceAll("[controller]", controller)
        .replaceAll("[action]", action)
      found.push(make(source, at, close + 1, { verb: attribute[2] ?? "", path: joined, handler: `${name}.${action}` }))
    }
    return found
  })
}

interface Attribute {
  readonly name: string
  readonly start: number
  readonly hasPath: boolean
  readonly path: string | undefined
}

/** Reads the list of attributes that begins at an offset, and those behind it. */
const attributesAt = (source: RouteSource, from: number): ReadonlyArray<Attribute> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const found: Array<Attribute> = []
  let at = from
  for (let count = 0; count < 20 && code[at] === "["; count++) {
    const close = closeOf(at)
    if (close === undefined) break
    for (const { code: attribute, start } of argumentsIn(at)) {
      const [whole = "", name = ""] = /^(?:\w+\.)*(\w+?)(?:Attribute)?\s*(?=\(|$)/.exec(attribute) ?? []
      const [first] = argumentsIn(start + whole.length)
      const isPath = first !== undefined && !/^\w+\s*=/.test(first.code)
      found.push({ name, start, hasPath: isPath, path: isPath ? stringAt(first.start)?.value : undefined })
    }
    at = close + 1
    while (/\s/.test(code[at] ?? "")) at++
  }
  return found
}

/** Reads the attributes before an offset, behind the last statement or block. Reads back at most 1,000 characters. */
const attributesBefore = (source: RouteSource, offset: number): ReadonlyArray<Attribute> => {
  const { code } = source
  const from = Math.max(0, offset - 1_000)
  const before = code.slice(from, offset)
  const after = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}")) + 1
  // A path has brackets of its own, but it is blank.
  const first = before.indexOf("[", after)
  return first === -1 ? [] : attributesAt(source, from + first).filter(({ start }) => start < offset)
}

/** Returns the name of the method behind its attributes. */
const methodAfter = ({ closeOf, code }: RouteSource, from: number): string | undefined => {
  let at = from
  for (let count = 0; count < 20; count++) {
    while (/\s/.test(code[at] ?? "")) at++
    if (code[at] !== "[") break
    at = (closeOf(at) ?? code.length) + 1
  }
  return /^[^;{}=()]*?\b(\w+)\s*(?:<[^<>()]*>)?\s*\(/.exec(code.slice(at, at + 500))?.[1]
}

/** Reads `app.MapGet("/x", handler)`, with the prefix of a variable that holds a group. */
const registrations = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const groups = new Map<string, string>()
  for (const match of code.matchAll(/\b(\w+)\s*=\s*(\w+)\s*\.\s*MapGroup\s*(?=\()/g)) {
    const [path] = argumentsIn(match.index + match[0].length)
    const prefix = path && stringAt(path.start)?.value
    if (prefix !== undefined) groups.set(match[1] ?? "", joinPath(groups.get(match[2] ?? "") ?? "", prefix))
  }
  return Array.from(code.matchAll(/(?<!\w)(?:(\w+)\s*)?\.\s*Map(Get|Post|Put|Patch|Delete)\s*(?=\(\s*")/g)).flatMap(
    (match) => {
      const open = match.index + match[0].length
      const parts = argumentsIn(open)
      const [path] = parts
      const value = path && stringAt(path.start)?.value
      const handler = parts[1]
      return value === undefined || handler === undefined
        ? []
        : [
            make(source, match.index, (closeOf(open) ?? open) + 1, {
              verb: match[2] ?? "",
              path: joinPath(groups.get(match[1] ?? "") ?? "", value),
              handler: handlerIn(handler),
            }),
          ]
    },
  )
}
