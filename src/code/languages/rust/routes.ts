/** The routes of axum, actix-web and Rocket in Rust. */
import {
  handlerIn,
  joinPath,
  MAX_HEAD,
  make,
  type PrefixRange,
  prefixAt,
  type ReadRoutes,
  type Route,
} from "../../internal/routes/Route.ts"
import { makeReader, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { character, nestedSlashComments } from "../patterns/common.ts"

const read = makeReader([
  ...nestedSlashComments,
  { open: '\\br#+"', close: (open) => `"${open.slice(1, -1)}` },
  { open: '\\br"', close: '"' },
  { open: '"', close: '"', escapes: true },
  character,
])

export const readRoutes: ReadRoutes = (text) => {
  if (!/\b(?:axum|actix_web|rocket|utoipa_axum|HttpResponse|web::)\b/.test(text) || !mayHaveRoutes.test(text)) return []
  const source = read(text)
  return [...registrations(source), ...resources(source), ...attributes(source)]
}

const mayHaveRoutes = /\.\s*route\s*\(|#\[\s*(?:\w+::)?(?:get|post|put|patch|delete|head|options)\s*\(|\bresource\s*\(/

const verb = "get|post|put|patch|delete|head|options|any|trace"

/** Reads `.route("/x", get(list).post(create))` of axum and `.route("/x", web::get().to(list))` of actix-web. */
const registrations = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const ranges = rangesIn(source)
  return Array.from(code.matchAll(/\.\s*route\s*(?=\(\s*")/g)).flatMap((match) => {
    const open = match.index + match[0].length
    const [path, handlers] = argumentsIn(open)
    const value = path && stringAt(path.start)
    if (value === undefined || handlers === undefined || !/^(?:\/|$)/.test(value.value)) return []
    return methodsIn(source, handlers.start, handlers.end).map(({ handler, verb }) =>
      make(source, match.index, (closeOf(open) ?? open) + 1, {
        verb,
        path: joinPath(prefixAt(ranges, match.index), value.value),
        handler,
      }),
    )
  })
}

/** Reads the methods of an expression, but not what stands in their arguments. */
const methodsIn = ({ argumentsIn, code, closeOf }: RouteSource, from: number, to: number) => {
  const found: Array<{ readonly verb: string; readonly handler: string | undefined }> = []
  const call = new RegExp(`(?<![\\w])(${verb}|\\w+)(?:::<[^<>()]{0,100}>)?\\s*(?=\\()|\\(`, "g")
  // The rest of the text is not searched for a next call.
  const part = code.slice(from, to + 1)
  for (let match = call.exec(part); match !== null; match = call.exec(part)) {
    const open = from + match.index + (match[0] === "(" ? 0 : match[0].length)
    const close = closeOf(open)
    if (close === undefined) break
    const name = match[1]?.replace(/_service$/, "")
    const [first] = argumentsIn(open)
    if (name !== undefined && isVerb.test(name)) {
      // actix-web takes the handler in a later call: `web::get().to(list)`.
      const to =
        first === undefined
          ? /^\s*(?:\.\s*guard\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*)*\.\s*to\s*(?=\()/.exec(
              code.slice(close + 1, close + 300),
            )
          : null
      const [later] = to === null ? [] : argumentsIn(close + 1 + to[0].length)
      const handler = first ?? later
      if (handler !== undefined)
        found.push({ verb: name === "any" ? "ANY" : name, handler: nameIn(handler.code) ?? handlerIn(handler) })
    }
    call.lastIndex = close + 1 - from
  }
  return found
}

const isVerb = new RegExp(`^(?:${verb})$`)

/** Returns the function of `list::<Store>` and `articles::list`. */
const nameIn = (code: string): string | undefined =>
  code.length > MAX_HEAD
    ? undefined
    : /^([\w:]+?)(?:::<.*>|\s*\.\s*\w+\s*\(.*)?$/s.exec(code)?.[1]?.replaceAll("::", ".")

/** Reads actix-web's `web::resource("/x").route(web::get().to(list))`. */
const resources = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const ranges = rangesIn(source)
  return Array.from(code.matchAll(/\bweb::resource\s*(?=\(\s*")/g)).flatMap((match) => {
    const open = match.index + match[0].length
    const [path] = argumentsIn(open)
    const value = path && stringAt(path.start)?.value
    if (value === undefined) return []
    const found: Array<Route> = []
    const call = /\s*\.\s*(\w+)\s*(?=\()/y
    for (let at = (closeOf(open) ?? code.length) + 1; ; ) {
      call.lastIndex = at
      const next = call.exec(code)
      const bracket = at + (next?.[0].length ?? 0)
      const close = next === null ? undefined : closeOf(bracket)
      if (next === null || close === undefined) return found
      const methods =
        next[1] === "route"
          ? methodsIn(source, bracket + 1, close)
          : next[1] === "to"
            ? argumentsIn(bracket).map((handler) => ({
                verb: "ANY",
                handler: nameIn(handler.code) ?? handlerIn(handler),
              }))
            : []
      for (const { handler, verb } of methods) {
        const path = joinPath(prefixAt(ranges, match.index), value)
        found.push(
          make(source, found.length === 0 ? match.index : at + next[0].indexOf("."), close + 1, {
            verb,
            path,
            handler,
          }),
        )
      }
      at = close + 1
    }
  })
}

/** Returns the parts of `.nest("/x", Router::new()…)`, and of the call around `web::scope("/x")…`. */
const rangesIn = ({ argumentsIn, code, closeOf, endAround, stringAt }: RouteSource): ReadonlyArray<PrefixRange> =>
  Array.from(code.matchAll(/(?:\.\s*(nest)|\b(?:web::)?scope)\s*(?=\(\s*")/g)).flatMap((match) => {
    const open = match.index + match[0].length
    const [path] = argumentsIn(open)
    const prefix = path && stringAt(path.start)?.value
    const end = match[1] === undefined ? endAround(match.index) : closeOf(open)
    return prefix === undefined || end === undefined ? [] : [{ start: open, end, prefix }]
  })

/** Reads `#[get("/x")]` before a function, in actix-web and Rocket. */
const attributes = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  return Array.from(code.matchAll(/#\[\s*(?:\w+::)?(get|post|put|patch|delete|head|options)\s*(?=\(\s*")/g)).flatMap(
    (match) => {
      const open = match.index + match[0].length
      const [path] = argumentsIn(open)
      const value = path && stringAt(path.start)?.value
      const close = closeOf(open)
      if (value === undefined || close === undefined || !value.startsWith("/")) return []
      const rest = code.slice(close + 1, close + 1_000)
      const [, name] =
        /^\s*\](?:\s*#\[(?:[^[\]]|\[[^[\]]*\])*\])*\s*(?:pub(?:\([^()]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/.exec(rest) ??
        []
      return name === undefined
        ? []
        : [
            make(source, match.index, close + 2, {
              verb: match[1] ?? "",
              path: joinPath(value.replace(/\?.*$/, "")),
              handler: name,
            }),
          ]
    },
  )
}
