/**
 * The routes that a source file registers with a web framework, as far as their paths are literal. They are read off the
 * text with patterns and need evidence of a framework, since other code has methods of the same names: a cache has
 * `get`, and so has a client. Pure.
 */
import { MAX_PATH, type ReadRoutes, type Route } from "./internal/routes/Route.ts"
import * as Language from "./Language.ts"
import * as CSharp from "./languages/csharp/routes.ts"
import * as Ecma from "./languages/ecma/routes.ts"
import * as Go from "./languages/go/routes.ts"
import * as Java from "./languages/java/routes.ts"
import * as Php from "./languages/php/routes.ts"
import * as Python from "./languages/python/routes.ts"
import * as Ruby from "./languages/ruby/routes.ts"
import * as Rust from "./languages/rust/routes.ts"

export type { Route }

/** Returns the routes of a file in order of their lines. Linear in the length of the text. */
export const read = (path: string, text: string): ReadonlyArray<Route> => {
  const readRoutes = readers[Language.of(path, text)?.id ?? ""]
  if (readRoutes === undefined || text.length > MAX_LENGTH) return []
  const found = readRoutes(text).filter(({ path }) => path.length <= MAX_PATH)
  const unique = new Map(found.map((route) => [`${route.verb} ${route.path} ${route.startLine}`, route]))
  return Array.from(unique.values())
    .toSorted((one, other) => one.startLine - other.startLine)
    .slice(0, MAX_ROUTES)
}

/** Longer files are data or bundles. */
const MAX_LENGTH = 1_000_000

/** The most routes of a file. */
const MAX_ROUTES = 2_000

const readers: Readonly<Record<string, ReadRoutes>> = {
  typescript: Ecma.readRoutes,
  javascript: Ecma.readRoutes,
  python: Python.readRoutes,
  go: Go.readRoutes,
  java: Java.readRoutes,
  kotlin: Java.readRoutes,
  php: Php.readRoutes,
  ruby: Ruby.readRoutes,
  rust: Rust.readRoutes,
  csharp: CSharp.readRoutes,
}
