/** The routes of Flask, FastAPI and Django in Python. */
import { handlerIn, joinPath, make, type ReadRoutes, type Route } from "../../internal/routes/Route.ts"
import { makeReader, type Part, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { line } from "../patterns/common.ts"

const prefixed = "\\b[rRbBuUfF]{1,2}"

const read = makeReader([
  { open: "#", kind: "comment" },
  ...['"""', "'''"].flatMap((quote) => [
    { open: `${prefixed}${quote}`, close: quote, escapes: true as const },
    { open: quote, close: quote, escapes: true as const },
  ]),
  { ...line('"'), open: `${prefixed}"` },
  { ...line("'"), open: `${prefixed}'` },
  line('"'),
  line("'"),
])

export const readRoutes: ReadRoutes = (text) => {
  if (!mayHaveRoutes.test(text)) return []
  const source = read(text)
  return [
    ...readDecorators(source),
    ...readAddCalls(source),
    ...(/\burlpatterns\b/.test(source.code) ? urlPatterns(source) : []),
  ]
}

const mayHaveRoutes =
  /^[ \t]*@[\w.]{1,200}\.(?:route|api_route|websocket|get|post|put|patch|delete|options|head)\s*\(|\burlpatterns\b|\.(?:add_url_rule|add_api_route)\s*\(/m

/** Returns the value of a keyword argument that is a string. */
const keyword = (source: RouteSource, parts: ReadonlyArray<Part>, name: string): string | undefined => {
  const part = keywordIn(parts, name)
  return part && source.stringAt(part.start)?.value
}

const keywordIn = (parts: ReadonlyArray<Part>, name: string): Part | undefined => {
  for (const { code, end, start } of parts) {
    const [lead, found] = /^(\w+)\s*=\s*/.exec(code) ?? []
    if (lead !== undefined && found === name) return { start: start + lead.length, end, code: code.slice(lead.length) }
  }
  return undefined
}

const positional = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> =>
  parts.filter(({ code }) => !/^\w+\s*=(?!=)/.test(code))

/** Returns the prefixes of the routers and blueprints that the file makes, and of those that it includes. */
const prefixesIn = (source: RouteSource): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const match of source.code.matchAll(
    /^[ \t]*(\w+)\s*(?::[^=\n]{1,100})?=\s*[\w.]*(?:APIRouter|Blueprint)\s*(?=\()/gm,
  )) {
    const parts = source.argumentsIn(match.index + match[0].length)
    found.set(match[1] ?? "", keyword(source, parts, "prefix") ?? keyword(source, parts, "url_prefix") ?? "")
  }
  for (const match of source.code.matchAll(/\b(\w+)\.(?:include_router|register_blueprint)\s*(?=\()/g)) {
    const parts = source.argumentsIn(match.index + match[0].length)
    const name = parts[0]?.code ?? ""
    const own = found.get(name)
    if (own === undefined) continue
    const urlPrefix = keyword(source, parts, "url_prefix")
    // The prefix at the registration of a blueprint replaces its own; that of a router comes before its own.
    found.set(name, urlPrefix ?? joinPath(found.get(match[1] ?? "") ?? "", keyword(source, parts, "prefix") ?? "", own))
  }
  return found
}

/** Reads decorators before functions: `@app.route("/x", methods=["POST"])`, `@router.get("/x")`. */
const readDecorators = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const prefixes = prefixesIn(source)
  const decorators =
    /^[ \t]*@([\w.]{1,200})\.(route|api_route|websocket|get|post|put|patch|delete|options|head)\s*(?=\()/gm
  return Array.from(code.matchAll(decorators)).flatMap((match) => {
    const open = match.index + match[0].length
    const close = closeOf(open)
    const parts = argumentsIn(open)
    const first = positional(parts)[0] ?? keywordIn(parts, "path") ?? keywordIn(parts, "rule")
    const path = first && stringAt(first.start)?.value
    const prefix = prefixes.get(match[1] ?? "")
    if (close === undefined || path === undefined) return []
    if (!path.startsWith("/") && !(path === "" && prefix !== undefined)) return []
    const handler = definitionAfter(source, close + 1)
    if (handler === undefined) return []
    const at = match.index + match[0].indexOf("@")
    return verbsOf(source, match[2] ?? "", parts).map((verb) =>
      make(source, at, close + 1, { verb, path: joinPath(prefix ?? "", path), handler }),
    )
  })
}

const verbsOf = (source: RouteSource, method: string, parts: ReadonlyArray<Part>): ReadonlyArray<string> => {
  if (method === "websocket") return ["GET"]
  if (method !== "route" && method !== "api_route") return [method]
  const methods = keywordIn(parts, "methods")
  if (methods === undefined) return ["GET"]
  const named = Array.from(methods.code.matchAll(/["']|\b[rbu]["']/g)).flatMap(({ index }) => {
    const value = source.stringAt(methods.start + index)?.value
    return value !== undefined && /^\w+$/.test(value) ? [value] : []
  })
  return named.length === 0 ? ["ANY"] : named
}

/** Returns the name of the function or class behind its other decorators. */
const definitionAfter = ({ closeOf, code }: RouteSource, from: number): string | undefined => {
  const decorator = /\s*@[\w.]+[ \t]*(\(?)/y
  let at = from
  for (let count = 0; count < 30; count++) {
    decorator.lastIndex = at
    const match = decorator.exec(code)
    if (match === null) break
    const end = at + match[0].length
    at = match[1] === "(" ? (closeOf(end - 1) ?? code.length) + 1 : end
  }
  return /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(code.slice(at, at + 500))?.[1]
}

/** Reads `app.add_url_rule("/x", view_func=show)` and `app.add_api_route("/x", show, methods=["GET"])`. */
const readAddCalls = (source: RouteSource): ReadonlyArray<Route> => {
  const prefixes = prefixesIn(source)
  return Array.from(source.code.matchAll(/(?<![\w.])([\w.]+)\.(add_url_rule|add_api_route)\s*(?=\()/g)).flatMap(
    (match) => {
      const open = match.index + match[0].length
      const parts = source.argumentsIn(open)
      const [first, second, third] = positional(parts)
      const path = first && source.stringAt(first.start)?.value
      const view =
        match[2] === "add_api_route"
          ? (second ?? keywordIn(parts, "endpoint"))
          : (third ?? keywordIn(parts, "view_func"))
      if (path === undefined || !path.startsWith("/") || view === undefined) return []
      return verbsOf(source, "route", parts).map((verb) =>
        make(source, match.index, (source.closeOf(open) ?? open) + 1, {
          verb,
          path: joinPath(prefixes.get(match[1] ?? "") ?? "", path),
          handler: viewIn(view),
        }),
      )
    },
  )
}

/** Reads the patterns of Django, and what is registered at a router of its REST framework. */
const urlPatterns = (source: RouteSource): ReadonlyArray<Route> =>
  Array.from(
    source.code.matchAll(/(?<![\w.])(path|re_path|url|\w{0,60}[rR]outer\w{0,60}\.register)\s*(?=\()/g),
  ).flatMap((match) => {
    const open = match.index + match[0].length
    const [first, view] = positional(source.argumentsIn(open))
    const pattern = first && source.stringAt(first.start)?.value
    if (pattern === undefined || view === undefined || isMount(view)) return []
    const isRegex = match[1] === "re_path" || match[1] === "url"
    return [
      make(source, match.index, (source.closeOf(open) ?? open) + 1, {
        verb: "ANY",
        path: joinPath(isRegex ? withoutAnchors(pattern) : pattern.replace(/^r?\^/, "")),
        handler: viewIn(view),
      }),
    ]
  })

/** Matches what has the patterns of other files: `include("owners.urls")`, `admin.site.urls`. */
const isMount = ({ code }: Part): boolean => /^(?:[\w.]+\.)?include\s*\(/.test(code) || code.endsWith(".urls")

/** Turns `^owners/(?P<pk>\d+)/$` into `owners/<pk>/`. */
const withoutAnchors = (pattern: string): string =>
  pattern
    .replace(/^\^/, "")
    .replace(/\/?\??\$$/, (end) => (end.startsWith("/") ? "/" : ""))
    .replace(/\(\?P(<\w+>)(?:[^()]|\([^()]*\)){0,100}\)/g, "$1")

/** `views.Owner` for `views.Owner.as_view()`, and the function in a decorator that is called: `cached(60)(show)`. */
const viewIn = (view: Part): string | undefined =>
  /^([\w.]+)\.as_view\s*\(/.exec(view.code.slice(0, 300))?.[1] ?? handlerIn(view)
