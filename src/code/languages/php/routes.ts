/** The routes of Laravel, Slim and Symfony in PHP. */
import {
  joinPath,
  MAX_HEAD,
  make,
  type PrefixRange,
  prefixAt,
  type ReadRoutes,
  type Route,
} from "../../internal/routes/Route.ts"
import { makeReader, type Part, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { blockComment } from "../patterns/common.ts"

const read = makeReader([
  { open: "\\/\\/|#(?!\\[)", kind: "comment" },
  blockComment,
  { open: '"', close: '"', escapes: true },
  { open: "'", close: "'", escapes: true },
])

export const readRoutes: ReadRoutes = (text) => {
  if (!mayHaveRoutes.test(text)) return []
  const source = read(text)
  return [...registrations(source), ...resources(source), ...attributes(source)]
}

const mayHaveRoutes =
  /\bRoute::\w+\s*\(|\$(?:router|app|group|r|route|api)\s*->\s*(?:get|post|put|patch|delete|any|match|map)\s*\(|#\[[^\]\n]{0,200}\bRoute\s*\(/

const verbs = "get|post|put|patch|delete|options|any|match|map"

/** Reads `Route::get("/x", [A::class, "m"])` and `$app->get("/x", function () { … })`. */
const registrations = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, code, closeOf, stringAt } = source
  const ranges = rangesIn(source)
  const calls = new RegExp(
    `(\\bRoute::|\\$(?:router|app|group|r|route|api)\\s*->\\s*|\\)\\s*->\\s*)(${verbs})\\s*(?=\\()`,
    "g",
  )
  return Array.from(code.matchAll(calls)).flatMap((match): ReadonlyArray<Route> => {
    const [whole, receiver = "", method = ""] = match
    const open = match.index + whole.length
    const parts = argumentsIn(open)
    const hasMethods = method === "match" || method === "map"
    const path = hasMethods ? parts[1] : parts[0]
    const action = parts[hasMethods ? 2 : 1]
    const value = path && stringAt(path.start)
    if (path === undefined || action === undefined || value === undefined || value.end !== path.end) return []
    // Behind a call there must be one of the facade: `Route::middleware("auth")->get(…)`.
    const isFacade = receiver === "Route::" || (receiver.startsWith(")") && isOfFacade(source, match.index))
    if (receiver.startsWith(")") && !isFacade) return []
    const handler = actionIn(source, action)
    if (!isFacade && (handler === undefined || !/^(?:\/|$)/.test(value.value))) return []
    const hasVariable = source.text[path.start] === '"' && value.value.includes("$")
    if (hasVariable || /\s/.test(value.value)) return []
    const named = hasMethods && parts[0] !== undefined ? stringsIn(source, parts[0]) : [method]
    return named.map((verb) =>
      make(source, match.index + (receiver.startsWith(")") ? 1 : 0), (closeOf(open) ?? open) + 1, {
        verb,
        path: joinPath(prefixAt(ranges, match.index), value.value),
        handler: handler === "" ? undefined : handler,
      }),
    )
  })
}

/** Returns whether the calls before an offset begin with `Route::`. Reads back at most 300 characters. */
const isOfFacade = ({ code }: RouteSource, offset: number): boolean =>
  /\bRoute::\w+\s*\((?:[^;{}]|\{[^{}]*\})*$/.test(code.slice(Math.max(0, offset - 300), offset))

/**
 * Returns `A.m` for `[A::class, "m"]`, `"A@m"` and `"A::m"`, `A.__invoke` for `A::class`, an empty text for a function
 * that is written in place, and undefined for a value that is no action.
 */
const actionIn = (source: RouteSource, action: Part): string | undefined => {
  if (/^(?:static\s+)?(?:function|fn)\b/.test(action.code)) return ""
  const ofClass = /^\[\s*\\?(?:\w+\\)*(\w+)::class\s*,\s*(?=")/.exec(action.code)
  if (ofClass) {
    const method = source.stringAt(action.start + ofClass[0].length)?.value
    return method === undefined ? undefined : `${ofClass[1]}.${method}`
  }
  const invoked = /^\\?(?:\w+\\)*(\w+)::class$/.exec(action.code)
  if (invoked) return `${invoked[1]}.__invoke`
  const text = source.stringAt(action.start)?.value
  const [, controller, method] = /^\\?(?:\w+\\+)*(\w+)(?:@|::|:)(\w+)$/.exec(text ?? "") ?? []
  if (controller !== undefined) return `${controller}.${method}`
  // The options of an action may have a function: `["middleware" => "auth", function () { … }]`.
  return /\bfunction\b|\bfn\b/.test(action.code.slice(0, MAX_HEAD)) ? "" : undefined
}

const stringsIn = ({ code, stringAt }: RouteSource, { end, start }: Part): ReadonlyArray<string> =>
  Array.from(code.slice(start, end).matchAll(/"/g)).flatMap(({ index }) => stringAt(start + index)?.value ?? [])

/** Reads `Route::resource("photos", PhotoController::class)`, which registers seven routes, or five for an API. */
const resources = (source: RouteSource): ReadonlyArray<Route> => {
  const ranges = rangesIn(source)
  return Array.from(source.code.matchAll(/\bRoute::(resource|apiResource)\s*(?=\()/g)).flatMap((match) => {
    const open = match.index + match[0].length
    const close = source.closeOf(open)
    const [name, controller, options] = source.argumentsIn(open)
    const path = name && source.stringAt(name.start)?.value
    const of =
      /^\\?(?:\w+\\)*(\w+)::class$/.exec(controller?.code ?? "")?.[1] ??
      (controller && /(\w+)$/.exec(source.stringAt(controller.start)?.value ?? "")?.[1])
    if (path === undefined || of === undefined || close === undefined || path.includes(".")) return []
    const behind = source.code.slice(close + 1, close + 1 + MAX_CHAIN).indexOf(";")
    const chained = Array.from(
      source.code
        .slice(close + 1, close + 1 + (behind === -1 ? MAX_CHAIN : behind))
        .matchAll(/->\s*(only|except)\s*(?=\()/g),
      (call) => ({
        which: call[1],
        names: source.argumentsIn(close + 1 + call.index + call[0].length).flatMap((part) => stringsIn(source, part)),
      }),
    )
    const inOptions = /\b(?:only|except)\b/.exec(
      options === undefined ? "" : source.text.slice(options.start, options.end),
    )?.[0]
    const limits =
      inOptions === undefined || options === undefined
        ? chained
        : [...chained, { which: inOptions, names: stringsIn(source, options) }]
    const parameter = `{${path
      .split("/")
      .at(-1)
      ?.replace(/-/g, "_")
      .replace(/ies$/, "y")
      .replace(/(?<!s)s$/, "")}}`
    return actions
      .filter(([action]) => match[1] === "resource" || (action !== "create" && action !== "edit"))
      .filter(([action]) => limits.every(({ names, which }) => names.includes(action) === (which === "only")))
      .map(([action, verb, end]) =>
        make(source, match.index, close + 1, {
          verb,
          path: joinPath(prefixAt(ranges, match.index), path, end.replace("{}", parameter)),
          handler: `${of}.${action}`,
        }),
      )
  })
}

/** How many characters behind `Route::resource(…)` are read for its limits. */
const MAX_CHAIN = 300

/** How many characters of a class are read for its method `__invoke`. */
const MAX_CLASS = 20_000

const actions: ReadonlyArray<readonly [action: string, verb: string, end: string]> = [
  ["index", "GET", ""],
  ["create", "GET", "create"],
  ["store", "POST", ""],
  ["show", "GET", "{}"],
  ["edit", "GET", "{}/edit"],
  ["update", "PUT", "{}"],
  ["destroy", "DELETE", "{}"],
]

/** Returns the groups whose routes have a prefix. */
const rangesIn = (source: RouteSource): ReadonlyArray<PrefixRange> =>
  Array.from(source.code.matchAll(/(?:\bRoute::|->\s*|\$\w+\s*->\s*)group\s*(?=\()/g)).flatMap((match) => {
    const { argumentsIn, closeOf, code, stringAt, text } = source
    const open = match.index + match[0].length
    const end = closeOf(open)
    const [first] = argumentsIn(open)
    if (end === undefined || first === undefined) return []
    const option = /["']prefix["']\s*=>\s*(?=["'])/.exec(
      text.slice(first.start, Math.min(first.end, first.start + 300)),
    )
    const before = code.slice(Math.max(0, match.index - 300), match.index)
    const statement = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"))
    const call = Array.from(before.slice(statement + 1).matchAll(/\bprefix\s*\(\s*(?=")/g)).at(-1)
    const prefix = first.code.startsWith("[")
      ? option && stringAt(first.start + option.index + option[0].length)?.value
      : first.code.startsWith('"')
        ? stringAt(first.start)?.value
        : call && stringAt(match.index - before.length + statement + 1 + call.index + call[0].length)?.value
    return prefix === undefined || prefix === null ? [] : [{ start: open, end, prefix }]
  })

/** Reads Symfony's `#[Route("/x", methods: ["GET"])]` before methods, with the prefix of the one before their class. */
const attributes = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const ranges: Array<PrefixRange> = []
  const found: Array<{
    readonly start: number
    readonly end: number
    readonly path: string
    readonly verbs: ReadonlyArray<string>
    readonly name: string
  }> = []
  for (const match of code.matchAll(/#\[\s*Route\s*(?=\()|(?<=#\[[^\]\n]{0,200},\s*)Route\s*(?=\()/g)) {
    const open = match.index + match[0].length
    const close = closeOf(open)
    const parts = argumentsIn(open)
    const first = parts.find(({ code }) => /^path\s*:/.test(code)) ?? parts.find(({ code }) => code.startsWith('"'))
    const path = first && stringAt(first.start + first.code.indexOf('"'))?.value
    if (close === undefined || path === undefined) continue
    const methods = parts.find(({ code }) => /^methods\s*:/.test(code))
    const bracket = code.indexOf("]", close)
    const end = bracket === -1 ? close + 1 : bracket + 1
    const rest = code
      .slice(end, end + 1_500)
      .replace(/^(?:\s*#\[(?:[^[\]]|\[[^[\]]*\])*\])*/, (attributes) => " ".repeat(attributes.length))
    const modified =
      /^\s*(?:(?:public|protected|private|static|final|abstract|readonly)\s+)*(?:(class)\s|function\s+&?(\w+))/.exec(
        rest,
      )
    const brace = code.indexOf("{", end)
    const body = brace === -1 ? undefined : closeOf(brace)
    if (modified?.[1] !== undefined && body !== undefined) ranges.push({ start: brace, end: body, prefix: path })
    const verbs = methods === undefined ? [] : stringsIn(source, methods).filter((verb) => /^\w+$/.test(verb))
    const name =
      modified?.[2] ??
      (modified?.[1] !== undefined &&
      /\bfunction\s+__invoke\b/.test(code.slice(brace, Math.min(body ?? brace, brace + MAX_CLASS)))
        ? "__invoke"
        : undefined)
    if (name !== undefined)
      found.push({
        start: match.index,
        end: close + 1,
        path: name === "__invoke" && modified?.[1] ? "" : path,
        verbs: verbs.length === 0 ? ["ANY"] : verbs,
        name,
      })
  }
  return found.flatMap(({ end, name, path, start, verbs }) =>
    verbs.map((verb) =>
      make(source, start, end, { verb, path: joinPath(prefixAt(ranges, start), path), handler: name }),
    ),
  )
}
