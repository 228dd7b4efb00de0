/** The routes of Express, Fastify, Hono, Koa and NestJS in TypeScript and JavaScript. */
import {
  handlerIn,
  joinPath,
  MAX_HEAD,
  make,
  type ReadRoutes,
  type Route,
  readable,
} from "../../internal/routes/Route.ts"
import { makeReader, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { line, slashComments } from "../patterns/common.ts"

const read = makeReader([
  ...slashComments,
  { open: "`", close: "`", escapes: true, code: "${" },
  line('"'),
  line("'"),
  // A regular expression begins where no value can end.
  { open: "(?<=[=(,:!&|?;[{}]\\s{0,4})\\/(?=[^/*\\n])", close: "/", isLine: true, escapes: true },
])

export const readRoutes: ReadRoutes = (text) => {
  if (!hasRegistration.test(text) || !hasEvidence.test(text)) return []
  const source = read(text)
  const routers = routersIn(source)
  const found = [
    ...registrations(source, routers),
    ...chainsOfNewRouters(source, routers),
    ...objectRoutes(source, routers),
    ...(text.includes("@nestjs/common") ? readDecorators(source) : []),
  ]
  return found
}

/** Most files have no such call, and are not read any further. */
const hasRegistration =
  /\.\s*(?:get|post|put|patch|delete|options|head|all|del|query|search|route|on)\s*(?:<[^<>()]{0,200}>)?\s*\(\s*(?:["'`](?:[/*:]|["'`])|\{|\[\s*["']|["'][A-Z]{3,8}["'])|@(?:Get|Post|Put|Patch|Delete|All)\(/

/** A router that the file makes or receives, or the import of NestJS. */
const hasEvidence =
  /\b(?:express|[fF]astify|polka|restify|Router|KoaRouter|Hono|OpenAPIHono|Elysia|createApp|basePath)\s*(?:<[^<>()]{0,200}>)?\s*\(|["'](?:express|fastify|polka|koa-router|@koa\/router)["']\s*\)\s*(?:\.Router\s*)?\(|@nestjs\/common|(?:\b(?:app|router|server|fastify|instance)|(?:Router|Routes|App))\s*\.\s*(?:get|post|put|patch|delete|options|head|all|del|route)\s*(?:<[^<>()]{0,200}>)?\s*\(\s*["'`{]/

const verbs = "get|post|put|patch|delete|options|head|all|del|query|search"

const verbOf = (method: string): string => (method === "all" ? "ANY" : method === "del" ? "DELETE" : method)

/** A variable of the file that holds a router, with the prefix of its paths. */
type Routers = ReadonlyMap<string, string>

const constructors =
  /(?:\b(?:const|let|var)\s+|[,.]\s*|^[ \t]*|\bthis\.)([\w$]+)\s*(?::[^=;\n]{1,200})?=\s*(?:await\s+)?(?:new\s+)?((?:[\w$]+\.){0,2}(?:express|[fF]astify|polka|restify|Router|KoaRouter|Hono|OpenAPIHono|Elysia|createServer|createApp|basePath|require\s*\(\s*"\s*\)\s*\.Router|require\s*\(\s*"\s*\)))\s*(?:<[^<>()]{0,200}>)?\s*(?=\()/gm

/** A text that imports a framework. Without it a variable is no router, whatever made it. */
const importsFramework =
  /(?:\bfrom|\brequire\s*\(|\bimport)\s*["'](?:node:)?(?:express|fastify|hono|polka|restify|@?koa-?router|@koa\/router|router|elysia|jsr:@hono\/hono|@hono\/[\w-]+|@fastify\/[\w-]+|npm:[\w@/.-]{1,60}|[./][^"'\n]{0,200})(?:\/[\w./-]{0,80})?["']/

const routersIn = (source: RouteSource): Routers => {
  const { argumentsIn, code, stringAt, text } = source
  const found = new Map<string, string>()
  const repeated = new Set<string>()
  if (!importsFramework.test(text)) return found
  for (const match of code.matchAll(constructors)) {
    const [whole, name = "", made = ""] = match
    const open = match.index + whole.length
    const isRequired = /^require/.test(made)
    if (isRequired && !/["'](?:express|fastify|polka|koa-router|@koa\/router)["']/.test(text.slice(match.index, open)))
      continue
    if (isRequired && !/\)\s*(?:\.Router)?$/.test(code.slice(match.index, open))) continue
    if (/createServer$/.test(made) && !/restify/.test(made)) continue
    const [first] = argumentsIn(open)
    const option = first && /\bprefix\s*:\s*(?=")/.exec(first.code)
    const prefix = /basePath$/.test(made)
      ? joinPath(
          found.get(made.split(".")[0] ?? "") ?? "",
          first === undefined ? "" : (stringAt(first.start)?.value ?? ""),
        )
      : option && first && stringAt(first.start + option.index + option[0].length)?.value
    if (found.has(name)) repeated.add(name)
    found.set(name, prefix ?? "")
  }
  // A router that the same file mounts has the prefix of that place.
  for (const match of code.matchAll(/(?<![\w$])([\w$]+)\s*\.\s*(?:use|route|mount)\s*(?=\(\s*")/g)) {
    const [path, ...mounted] = argumentsIn(match.index + match[0].length)
    const outer = found.get(match[1] ?? "")
    const prefix = path && stringAt(path.start)?.value
    const name = mounted.at(-1)?.code.replace(/\.routes\(\)$/, "") ?? ""
    const inner = found.get(name)
    if (outer === undefined || inner === undefined || prefix === undefined || name === match[1]) continue
    // Tests give several routers one name, each with another prefix.
    if (repeated.has(name)) continue
    found.set(name, joinPath(outer, prefix, inner))
  }
  return found
}

const calls = new RegExp(
  `(?<![\\w$]|\\.\\s{0,9})((?:[\\w$]+\\s*\\.\\s*){1,4})(${verbs}|route|on)\\s*(?:<[^<>()]{0,200}>)?\\s*(?=\\(\\s*["\\[])`,
  "g",
)

/** Reads `app.get("/x", handler)` and `router.route("/x").get(handler)`, with the calls that are chained behind it. */
const registrations = (source: RouteSource, routers: Routers): ReadonlyArray<Route> => {
  const { argumentsIn, code, stringAt } = source
  return Array.from(code.matchAll(calls)).flatMap((match): ReadonlyArray<Route> => {
    const [whole, dotted = "", method = ""] = match
    const open = match.index + whole.length
    const receiver = dotted.replaceAll(/\s/g, "").replace(/\.$/, "").split(".").at(-1) ?? ""
    const known = routers.get(receiver)
    if (known === undefined && !(method === "on" ? false : isRouterName.test(receiver))) return []
    const parts = argumentsIn(open)
    const [path, second] = parts
    const literal = path && stringAt(path.start)
    if (path === undefined || literal === undefined || literal.end !== path.end) {
      return method === "on" && known !== undefined ? onMethods(source, match.index, open, known) : []
    }
    const close = (source.closeOf(open) ?? open) + 1
    const prefix = known ?? ""
    if (method === "route") {
      return parts.length === 1 && isPath(literal.value)
        ? readChain(source, close, () => true).map(({ end, handler, start, verb }) =>
            make(source, start, end, { verb, path: joinPath(prefix, literal.value), handler }),
          )
        : []
    }
    if (method === "on") return onMethods(source, match.index, open, known ?? "")
    if (second === undefined || !isPath(literal.value)) return []
    // A client of a service has the same methods, with data or options behind the path.
    const last = parts.at(-1) ?? second
    if (!isHandler(last.code, known !== undefined)) return []
    return [
      make(source, match.index, close, {
        verb: verbOf(method),
        path: joinPath(prefix, literal.value),
        handler: handlerIn(last),
      }),
      ...chainedRoutes(source, close, prefix),
    ]
  })
}

/** Names of variables and parameters that hold a router, though the file does not make it. */
const isRouterName = /^(?:app|router|server|fastify|instance|[\w$]+(?:Router|Routes|App))$/

const isPath = (value: string): boolean => /^(?:\/|\*|:|$)/.test(value) && !/\s/.test(value)

const isHandler = (argument: string, isRouter: boolean): boolean => {
  const code = argument.slice(0, MAX_HEAD)
  return /=>|\bfunction\b/.test(code)
    ? true
    : isRouter
      ? !/^(?:\{|"|\d|null$|undefined$)/.test(code)
      : /^[\w$]+(?:\.[\w$]+)*(?:\(.*\))?$/s.test(code) &&
        !/^(?:options|config|params|data|body|headers|callback|cb|done|next|null|undefined|true|false)$/.test(code)
}

/** Reads Hono's `app.on("PURGE", "/x", handler)` and `app.on(["PUT", "DELETE"], "/x", handler)`. */
const onMethods = (source: RouteSource, start: number, open: number, prefix: string): ReadonlyArray<Route> => {
  const [methods, path, ...handlers] = source.argumentsIn(open)
  const literal = path && source.stringAt(path.start)
  const handler = handlers.at(-1)
  if (methods === undefined || literal === undefined || handler === undefined || !literal.value.startsWith("/"))
    return []
  return stringsIn(source, methods.start, methods.end)
    .filter((verb) => /^[A-Z]+$/.test(verb))
    .map((verb) =>
      make(source, start, (source.closeOf(open) ?? open) + 1, {
        verb,
        path: joinPath(prefix, literal.value),
        handler: handlerIn(handler),
      }),
    )
}

const stringsIn = ({ code, stringAt }: RouteSource, start: number, end: number): ReadonlyArray<string> =>
  Array.from(code.slice(start, end).matchAll(/"/g)).flatMap(({ index }) => {
    const value = stringAt(start + index)?.value
    return value === undefined ? [] : [value]
  })

interface Chained {
  readonly start: number
  readonly end: number
  readonly verb: string
  readonly handler: string | undefined
  readonly open: number
}

const chainedCall = new RegExp(`\\s*\\.\\s*(${verbs}|\\w+)\\s*(?=\\()`, "y")

/** Reads the calls that follow one another: `.get(list).post(create)`. */
const readChain = (source: RouteSource, from: number, isWanted: (open: number) => boolean): ReadonlyArray<Chained> => {
  const found: Array<Chained> = []
  for (let at = from; ; ) {
    chainedCall.lastIndex = at
    const match = chainedCall.exec(source.code)
    const open = at + (match?.[0].length ?? 0)
    const close = match === null ? undefined : source.closeOf(open)
    if (match === null || close === undefined) return found
    const method = match[1] ?? ""
    const handler = source.argumentsIn(open).at(-1)
    if (isVerb.test(method) && handler !== undefined && isWanted(open)) {
      const start = at + match[0].indexOf(".")
      found.push({ start, end: close + 1, verb: verbOf(method), handler: handlerIn(handler), open })
    }
    at = close + 1
  }
}

const isVerb = new RegExp(`^(?:${verbs})$`)

/** Reads `.get("/x", list).post("/x", create)` behind a router or another such call. */
const chainedRoutes = (source: RouteSource, from: number, prefix: string): ReadonlyArray<Route> =>
  readChain(source, from, (open) => source.argumentsIn(open).length > 1).flatMap(
    ({ end, handler, open, start, verb }) => {
      const path = source.argumentsIn(open)[0]
      const literal = path && source.stringAt(path.start)
      return literal === undefined || !isPath(literal.value)
        ? []
        : [make(source, start, end, { verb, path: joinPath(prefix, literal.value), handler })]
    },
  )

/** Reads `const app = new Hono().get("/x", handler)`. */
const chainsOfNewRouters = (source: RouteSource, routers: Routers): ReadonlyArray<Route> =>
  Array.from(source.code.matchAll(constructors)).flatMap((match) => {
    const close = source.closeOf(match.index + match[0].length)
    const prefix = routers.get(match[1] ?? "")
    return close === undefined || prefix === undefined ? [] : chainedRoutes(source, close + 1, prefix)
  })

/** Reads Fastify's `app.route({ method: "GET", url: "/x", handler })`. */
const objectRoutes = (source: RouteSource, routers: Routers): ReadonlyArray<Route> =>
  Array.from(source.code.matchAll(/(?<![\w$])([\w$]+)\s*\.\s*route\s*(?:<[^<>()]{0,200}>)?\s*(?=\(\s*\{)/g)).flatMap(
    (match) => {
      const prefix = routers.get(match[1] ?? "")
      const open = match.index + match[0].length
      const brace = source.code.indexOf("{", open)
      if (prefix === undefined && !isRouterName.test(match[1] ?? "")) return []
      const fields = new Map(
        source.argumentsIn(brace).flatMap((part) => {
          const [lead = "", name = ""] = /^(?:async\s+)?([\w$]+)\s*:?\s*/.exec(part.code) ?? []
          const start = part.start + lead.length
          return [
            [
              name,
              { start, end: part.end, code: part.code.slice(lead.length), isMethod: !lead.includes(":") },
            ] as const,
          ]
        }),
      )
      const [method, url, handler] = ["method", "url", "handler"].map((name) => fields.get(name))
      const path = (url ?? fields.get("path")) && source.stringAt((url ?? fields.get("path"))?.start ?? -1)?.value
      if (method === undefined || path === undefined || !path.startsWith("/")) return []
      return stringsIn(source, method.start, method.end).map((verb) =>
        make(source, match.index, (source.closeOf(open) ?? open) + 1, {
          verb,
          path: joinPath(prefix ?? "", path),
          handler:
            handler === undefined
              ? undefined
              : handler.isMethod
                ? handler.code === ""
                  ? "handler"
                  : undefined
                : handlerIn(handler),
        }),
      )
    },
  )

/** Reads the decorators of NestJS: `@Controller("cats")` before a class, `@Get(":id")` before its methods. */
const readDecorators = (source: RouteSource): ReadonlyArray<Route> => {
  const { argumentsIn, closeOf, code, stringAt } = source
  const pathIn = (open: number): string | undefined => {
    const [first] = argumentsIn(open)
    if (first === undefined) return ""
    const option = /\bpath\s*:\s*(?=")/.exec(first.code)
    return stringAt(first.start + (first.code.startsWith("{") && option ? option.index + option[0].length : 0))?.value
  }
  const controllers = Array.from(code.matchAll(/@Controller\s*(?=\()/g)).flatMap((controller) => {
    const open = controller.index + controller[0].length
    const prefix = pathIn(open)
    const body = code.indexOf("{", closeOf(open) ?? open)
    const end = closeOf(body)
    return prefix === undefined || end === undefined ? [] : [{ prefix, start: body, end }]
  })
  return readable(controllers, source).flatMap(({ end, prefix, start: body }) => {
    const members = code.slice(body, end)
    return Array.from(members.matchAll(/@(Get|Post|Put|Patch|Delete|Options|Head|All)\s*(?=\()/g)).flatMap((match) => {
      const at = body + match.index
      const path = pathIn(at + match[0].length)
      const close = closeOf(at + match[0].length)
      if (path === undefined || close === undefined) return []
      const name = methodAfter(source, close + 1)
      return name === undefined
        ? []
        : [
            make(source, at, close + 1, {
              verb: verbOf((match[1] ?? "").toLowerCase()),
              path: joinPath(prefix, path),
              handler: name,
            }),
          ]
    })
  })
}

/** Returns the name of the method behind its decorators. */
const methodAfter = ({ closeOf, code }: RouteSource, from: number): string | undefined => {
  const decorator = /\s*@[\w$.]+\s*(?=\()/y
  let at = from
  for (let count = 0; count < 20; count++) {
    decorator.lastIndex = at
    const match = decorator.exec(code)
    if (match === null) break
    at = (closeOf(at + match[0].length) ?? code.length) + 1
  }
  return /^\s*(?:(?:public|private|protected|async|static)\s+){0,3}([\w$]+)\s*[<(]/.exec(code.slice(at, at + 300))?.[1]
}
