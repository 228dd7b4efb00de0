/** The routes of gin, chi, echo, Fiber, gorilla/mux and net/http in Go. */
import {
  handlerIn,
  joinPath,
  make,
  type PrefixRange,
  prefixAt,
  type ReadRoutes,
  type Route,
} from "../../internal/routes/Route.ts"
import { makeReader, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { line, slashComments } from "../patterns/common.ts"

const read = makeReader([
  ...slashComments,
  { open: "`", close: "`" },
  line('"'),
  { open: "'(?:\\\\[^\\n]{1,8}?|[^'\\\\\\n])'", close: "" },
])

export const readRoutes: ReadRoutes = (text) => {
  if (!importsFramework.test(text)) return []
  const source = read(text)
  const groups = groupsIn(source)
  const ranges = rangesIn(source)
  const { argumentsIn, code, closeOf, stringAt } = source
  return Array.from(code.matchAll(calls)).flatMap((match): ReadonlyArray<Route> => {
    const [whole, receiver = "", method = ""] = match
    const open = match.index + whole.length
    const parts = argumentsIn(open)
    const isNamed = method === "Handle" || method === "Method" || method === "MethodFunc" || method === "Add"
    const named = isNamed ? methodIn(source, parts[0]) : undefined
    const path = named === undefined ? parts[0] : parts[1]
    const handler = parts.at(-1)
    const literal = path && stringAt(path.start)
    if (path === undefined || literal === undefined || literal.end !== path.end) return []
    if (handler === undefined || handler === path || isNoHandler.test(handler.code)) return []
    if (isClient.test(receiver) && !method.startsWith("Handle")) return []
    // A client sends a body with its type: `client.Post("/x", "text/plain", body)`.
    if (named === undefined && parts.slice(1).some((part) => stringAt(part.start) !== undefined)) return []
    const [, verb = named ?? verbOf(method), of] = /^(?:([A-Z]+) )?((?:[\w.-]*)\/.*|)$/.exec(literal.value) ?? []
    if (of === undefined || (of === "" && !groups.has(receiver))) return []
    const end = (closeOf(open) ?? open) + 1
    const chained = /^\s*\.\s*Methods\s*(?=\()/.exec(code.slice(end, end + 100))
    const verbs = chained
      ? argumentsIn(end + chained[0].length).flatMap((part) => methodIn(source, part) ?? [])
      : [verb]
    const prefix = joinPath(prefixAt(ranges, match.index), groups.get(receiver) ?? "")
    return (verbs.length === 0 ? ["ANY"] : verbs).map((verb) =>
      make(source, match.index, end, { verb, path: joinPath(prefix, of), handler: handlerIn(handler) }),
    )
  })
}

const importsFramework =
  /"(?:github\.com\/(?:gin-gonic\/gin|go-chi\/chi|labstack\/echo|gofiber\/fiber|gorilla\/mux|julienschmidt\/httprouter)(?:\/v\d+)?|net\/http)"/

const calls =
  /(?<![\w.]|\.\s{0,9})((?:\w+\.){0,3}\w+)\s*\.\s*(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|ANY|Get|Post|Put|Patch|Delete|Head|Options|All|Add|Handle|HandleFunc|Method|MethodFunc)\s*(?=\()/g

const verbOf = (method: string): string =>
  /^(?:Any|ANY|All|Add|Handle|HandleFunc|Method|MethodFunc)$/.test(method) ? "ANY" : method

/** Values that a client sends, and that a call of a test returns, are no handlers. */
const isNoHandler = /^(?:nil|"|\d|&|\[\]|map\[|bytes\.|strings\.|t$|w$|r$|ctx$)/

const isClient = /(?:^|\.)(?:http|\w*[cC]lient|resty|httptest)$/

/** Returns the method that an argument names: `GET` for `"GET"`, `http.MethodGet` and `echo.GET`. */
const methodIn = ({ stringAt }: RouteSource, part: { readonly start: number; readonly code: string } | undefined) => {
  if (part === undefined) return undefined
  const literal = stringAt(part.start)?.value
  const name = literal ?? /^(?:http\.Method|\w+\.)(\w+)$/.exec(part.code)?.[1]?.toUpperCase()
  return name !== undefined && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(name) ? name : undefined
}

/** Returns the prefixes of the groups that variables hold: `v1 := r.Group("/v1")`. */
const groupsIn = ({ argumentsIn, code, stringAt }: RouteSource): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const match of code.matchAll(/(?<!\w)(\w+)\s*:?=\s*((?:\w+\.){0,3}\w+)\.(?:Group|PathPrefix)\s*(?=\()/g)) {
    const [path] = argumentsIn(match.index + match[0].length)
    const prefix = path && stringAt(path.start)?.value
    if (prefix !== undefined) found.set(match[1] ?? "", joinPath(found.get(match[2] ?? "") ?? "", prefix))
  }
  return found
}

/** Returns the functions whose routes have a prefix: `r.Route("/articles", func(r chi.Router) { … })`. */
const rangesIn = ({ argumentsIn, code, closeOf, stringAt }: RouteSource): ReadonlyArray<PrefixRange> =>
  Array.from(code.matchAll(/\.\s*(?:Route|Group)\s*(?=\(\s*")/g)).flatMap((match) => {
    const open = match.index + match[0].length
    const [path, body] = argumentsIn(open)
    const prefix = path && stringAt(path.start)?.value
    const end = closeOf(open)
    return prefix === undefined || end === undefined || !/^func\b/.test(body?.code ?? "")
      ? []
      : [{ start: open, end, prefix }]
  })
