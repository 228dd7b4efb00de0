/** The routes of Sinatra and Rails in Ruby. */
import { joinPath, MAX_PATH, make, type ReadRoutes, type Route } from "../../internal/routes/Route.ts"
import { makeReader, type RouteSource } from "../../internal/routes/RouteSource.ts"
import { line } from "../patterns/common.ts"

const read = makeReader([
  { open: "^=begin\\b", close: "\n=end", kind: "comment" },
  { open: "#(?![{])", kind: "comment" },
  line('"'),
  line("'"),
])

export const readRoutes: ReadRoutes = (text) => {
  if (/\broutes\.draw\b|^[ \t]*(?:Rails|\w+)(?:::\w+)*\.routes\.(?:append|prepend)\b/m.test(text))
    return railsRoutes(read(text))
  return /\bsinatra\b|\bSinatra::/.test(text) ? sinatraRoutes(read(text)) : []
}

const verbs = "get|post|put|patch|delete|options|head|link|unlink"

/** Reads `get "/x" do`. A request of a test has no block: `get "/x"`. */
const sinatraRoutes = (source: RouteSource): ReadonlyArray<Route> => {
  const call = new RegExp(`^[ \\t]*(${verbs})[ \\t]*\\(?[ \\t]*(?=")`, "gm")
  return Array.from(source.code.matchAll(call)).flatMap((match) => {
    const value = source.stringAt(match.index + match[0].length)
    const indentation = /^[ \t]*/.exec(match[0])?.[0] ?? ""
    if (value === undefined || !/^(?:\/|\*)/.test(value.value)) return []
    const lineEnd = endOfLine(source.code, value.end)
    const rest = source.code.slice(value.end, lineEnd)
    const block = /\bdo\b|^\s*\)?\s*\{/.exec(rest)
    if (block === null) return []
    const start = match.index + indentation.length
    const end = /\bend\b|\}\s*\)?\s*$/.test(rest) ? lineEnd : blockEnd(source.code, lineEnd, indentation)
    return [make(source, start, end, { verb: match[1] ?? "", path: joinPath(value.value), handler: undefined })]
  })
}

const endOfLine = (code: string, from: number): number => {
  const end = code.indexOf("\n", from)
  return end === -1 ? code.length : end
}

/** Returns the end of a block: an `end` or a bracket with the indentation of its first line, within 200 lines. */
const blockEnd = (code: string, from: number, indentation: string): number => {
  let at = from
  for (let lines = 0; lines < 200 && at < code.length; lines++) {
    const end = endOfLine(code, at + 1)
    const line = code.slice(at + 1, end)
    if (line.startsWith(indentation) && /^(?:end\b|\})/.test(line.slice(indentation.length))) return end
    if (/\S/.test(line) && !line.startsWith(indentation)) return at
    at = end
  }
  return from
}

/** A block that is open: what its routes begin with, and the module of their controllers. */
interface Scope {
  readonly prefix: string
  readonly module: string
  /** The controller of `resources :photos do`, for `member` and `collection`. */
  readonly controller: string | undefined
  /** The path of one of these resources: `photos/:id`. */
  readonly member: string | undefined
}

/** The most lines of a statement. */
const MAX_LINES = 50

/** Reads the lines of `routes.draw`: verbs, `root`, `resources`, `resource`, `namespace` and `scope`. */
const railsRoutes = (source: RouteSource): ReadonlyArray<Route> => {
  const { code } = source
  const found: Array<Route> = []
  const scopes: Array<Scope> = []
  const outside: Scope = { prefix: "", module: "", controller: undefined, member: undefined }
  for (let at = 0; at < code.length; ) {
    // A line goes on behind a comma.
    let end = endOfLine(code, at)
    for (
      let lines = 0;
      lines < MAX_LINES && code.slice(at, end).trimEnd().endsWith(",") && end < code.length;
      lines++
    ) {
      end = endOfLine(code, end + 1)
    }
    const statement = code.slice(at, end)
    const scope = scopes.at(-1) ?? outside
    const indentation = statement.length - statement.trimStart().length
    const [lead = "", word = ""] = /^\s*(\w+)[ \t]*\(?[ \t]*/.exec(statement) ?? []
    const isBlock =
      /\bdo\b\s*(?:\|[^|]*\|\s*)?$/.test(statement) || /^\s*(?:if|unless|case|begin|def|class|module)\b/.test(statement)
    let inner = scope
    const values = valuesIn(source, at + lead.length, end)
    const name = values.first
    const add = (verb: string, path: string, handler: string | undefined, prefix = scope.prefix): void => {
      found.push(make(source, at + indentation, end, { verb, path: joinPath(prefix, path), handler }))
    }
    const isIn = (action: string): boolean => {
      const { except, only } = values.lists
      return (only === undefined || only.includes(action)) && !(except ?? []).includes(action)
    }
    if (word === "end" && statement.trim().startsWith("end")) scopes.pop()
    else if (isVerb.test(word) && name !== undefined) {
      const target = values.options.get("to") ?? values.arrow
      const own = values.options.get("action") ?? (/^\w+$/.test(name) ? name : undefined)
      const controller = values.options.get("controller") ?? scope.controller
      const on = values.options.get("on")
      const prefix = on === "member" ? scope.member : on === "collection" ? collectionOf(scope) : undefined
      const written =
        target ??
        (/^[\w/]+\/\w+$/.test(name) && scope.controller === undefined ? name.replace(/\/(?=\w+$)/, "#") : undefined)
      const handler =
        written !== undefined
          ? actionOf(scope.module, written, scope.controller)
          : own !== undefined && controller !== undefined
            ? actionOf(scope.module, `${controller}#${own}`, undefined)
            : undefined
      const methods = word === "match" ? (values.lists.via ?? ["any"]) : [word]
      for (const verb of methods)
        add(verb === "all" ? "any" : verb, name.replace(/\(\.:format\)$/, ""), handler, prefix)
    } else if (word === "root") {
      const target = values.options.get("to") ?? name
      if (target !== undefined) add("get", "/", actionOf(scope.module, target, undefined))
    } else if ((word === "resources" || word === "resource") && name !== undefined) {
      const isMany = word === "resources"
      const controller =
        values.options.get("controller") ?? (isMany ? name : `${name}s`.replace(/ys$/, "ies").replace(/ss$/, "s"))
      const path = values.options.get("path") ?? name
      const parameter = values.options.get("param") ?? "id"
      const one = isMany ? `${path}/:${parameter}` : path
      for (const of of values.names) {
        for (const [action, verb, isOne, end] of resourceActions) {
          if ((!isMany && action === "index") || !isIn(action)) continue
          const base = of === name ? (isOne ? one : path) : isOne && isMany ? `${of}/:id` : of
          add(verb, `${base}${end}`, actionOf(scope.module, `${of === name ? controller : of}#${action}`, undefined))
        }
      }
      const owner = isMany ? `${path}/:${name.replace(/ies$/, "y").replace(/s$/, "")}_${parameter}` : path
      inner = {
        prefix: joinPath(scope.prefix, owner),
        module: scope.module,
        controller,
        member: joinPath(scope.prefix, one),
      }
    } else if (word === "member" && scope.member !== undefined) inner = { ...scope, prefix: scope.member }
    else if (word === "collection" && scope.member !== undefined)
      inner = { ...scope, prefix: collectionOf(scope) ?? "" }
    else if (word === "namespace" && name !== undefined) {
      inner = {
        ...outside,
        prefix: joinPath(scope.prefix, values.options.get("path") ?? name),
        module: `${scope.module}${name}/`.slice(0, MAX_PATH),
      }
    } else if (word === "scope" || word === "controller") {
      const path = values.options.get("path") ?? (word === "scope" ? name : undefined) ?? ""
      const module = values.options.get("module")
      inner = {
        ...scope,
        prefix: joinPath(scope.prefix, path),
        module: module === undefined ? scope.module : `${scope.module}${module}/`.slice(0, MAX_PATH),
        controller: values.options.get("controller") ?? (word === "controller" ? name : scope.controller),
      }
    }
    if (isBlock) scopes.push(inner)
    at = end + 1
  }
  return found
}

/** Returns the path of all resources: `photos` for `photos/:id`. */
const collectionOf = ({ member }: Scope): string | undefined => member?.replace(/\/:[^/]*$/, "")

const isVerb = /^(?:get|post|put|patch|delete|match)$/

const resourceActions: ReadonlyArray<readonly [action: string, verb: string, isOne: boolean, end: string]> = [
  ["index", "get", false, ""],
  ["create", "post", false, ""],
  ["new", "get", false, "/new"],
  ["edit", "get", true, "/edit"],
  ["show", "get", true, ""],
  ["update", "patch", true, ""],
  ["update", "put", true, ""],
  ["destroy", "delete", true, ""],
]

/** Returns `Admin.UsersController.index` for `users#index` in the module `admin/`. */
const actionOf = (module: string, target: string, controller: string | undefined): string | undefined => {
  const [, of = controller, action] = /^(?:([\w/]+)#)?(\w+)$/.exec(target) ?? []
  if (of === undefined || action === undefined) return undefined
  const parts = `${module}${of}`.split("/").filter((part) => part !== "")
  const names = parts.map((part) => part.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  return `${names.join(".")}Controller.${action}`
}

/** Reads the arguments of a line: `:photos, only: [:index]` and `"/x" => "users#index"`. */
const valuesIn = ({ code, stringAt, text }: RouteSource, from: number, to: number) => {
  const options = new Map<string, string>()
  const lists: Record<string, ReadonlyArray<string>> = {}
  const part = code.slice(from, to)
  for (const match of part.matchAll(/(?:\b(\w+):(?!:)|:(\w+)\s*=>)\s*/g)) {
    const at = from + match.index + match[0].length
    const key = match[1] ?? match[2] ?? ""
    const [, symbol] = /^:(\w+)/.exec(code.slice(at, at + 100)) ?? []
    const value = symbol ?? stringAt(at)?.value
    if (value !== undefined) options.set(key, value)
    const list = /^(?:\[[^\]]*\]|%[iw][[(][^\])]*[\])])/.exec(text.slice(at, Math.min(to, at + 500)))?.[0]
    if (list !== undefined) lists[key] = Array.from(list.replace(/^%[iw]/, "").matchAll(/\w+/g), ([word]) => word)
    else if (value !== undefined) lists[key] = [value]
  }
  const [names = ""] = /^(?::\w+\s*,?\s*(?!\w*:))+/.exec(part) ?? []
  const first = /^:(\w+)/.exec(part)?.[1] ?? stringAt(from)?.value
  const literalEnd = stringAt(from)?.end ?? from + (/^:\w+/.exec(part)?.[0].length ?? 0)
  const arrow = /^\s*=>\s*/.exec(code.slice(literalEnd, to))
  return {
    first,
    /** The names of several resources in one line. */
    names:
      names === ""
        ? first === undefined
          ? []
          : [first]
        : Array.from(names.matchAll(/:(\w+)/g), ([, name = ""]) => name),
    arrow: arrow === null ? undefined : stringAt(literalEnd + arrow[0].length)?.value,
    options,
    lists,
  }
}
