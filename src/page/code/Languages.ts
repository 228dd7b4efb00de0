/** The languages that are coloured, each loaded when it is first used. */
import type { Highlighter } from "./Highlighter.ts"

type Loader = () => Promise<Highlighter>

const grammar =
  (load: () => Promise<{ readonly parser: Parameters<Grammar>[0] }>): Loader =>
  async () => {
    const [{ fromGrammar }, { parser }] = await Promise.all([import("./Highlighter.ts"), load()])
    return fromGrammar(parser)
  }
type Grammar = typeof import("./Highlighter.ts")["fromGrammar"]

/** `pick` chooses the mode from its module, which may have several. */
const mode =
  <A>(load: () => Promise<A>, pick: (module: A) => Parameters<Mode>[0]): Loader =>
  async () => {
    const [{ fromMode }, module] = await Promise.all([import("./Highlighter.ts"), load()])
    return fromMode(pick(module))
  }
type Mode = typeof import("./Highlighter.ts")["fromMode"]

const clike = () => import("@codemirror/legacy-modes/mode/clike")

const script = (dialect: string): Loader =>
  grammar(async () => {
    const { parser } = await import("@lezer/javascript")
    return { parser: parser.configure({ dialect }) }
  })

const words = (text: string) => Object.fromEntries(text.split(" ").map((word) => [word, true]))

/** Markup with the styles and scripts in it. */
const markup = grammar(async () => {
  const [{ parser }, { parser: css }, { parser: javascript }, { parseMixed }] = await Promise.all([
    import("@lezer/html"),
    import("@lezer/css"),
    import("@lezer/javascript"),
    import("@lezer/common"),
  ])
  const wrap = parseMixed((node) =>
    node.name === "ScriptText" ? { parser: javascript } : node.name === "StyleText" ? { parser: css } : null,
  )
  return { parser: parser.configure({ wrap }) }
})

/** Names of languages, which are also the extensions of their files, with what colours them. */
const table: ReadonlyArray<readonly [names: string, load: Loader]> = [
  ["js jsx mjs cjs javascript", script("jsx")],
  ["ts mts cts typescript", script("ts")],
  ["tsx", script("ts jsx")],
  ["py pyi python", grammar(() => import("@lezer/python"))],
  ["go golang", grammar(() => import("@lezer/go"))],
  ["json jsonc json5", grammar(() => import("@lezer/json"))],
  ["css scss less", grammar(() => import("@lezer/css"))],
  ["yaml yml", grammar(() => import("@lezer/yaml"))],
  ["html htm xml svg vue svelte", markup],
  ["md markdown", grammar(() => import("@lezer/markdown"))],
  [
    "rs rust",
    mode(
      () => import("@codemirror/legacy-modes/mode/rust"),
      ({ rust }) => rust,
    ),
  ],
  ["java", mode(clike, ({ java }) => java)],
  ["c h", mode(clike, ({ c }) => c)],
  ["cpp cc cxx hpp hh c++", mode(clike, ({ cpp }) => cpp)],
  ["cs csharp c#", mode(clike, ({ csharp }) => csharp)],
  ["kt kts kotlin", mode(clike, ({ kotlin }) => kotlin)],
  ["scala sc", mode(clike, ({ scala }) => scala)],
  ["dart", mode(clike, ({ dart }) => dart)],
  ["m objc objective-c", mode(clike, ({ objectiveC }) => objectiveC)],
  [
    "php",
    mode(clike, ({ clike: make }) =>
      make({
        name: "php",
        keywords: words(
          "abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface match namespace new or print private protected public readonly require require_once return static switch throw trait try use var while xor yield",
        ),
        types: words("bool callable float int iterable mixed never object self string void"),
        atoms: words("true false null TRUE FALSE NULL"),
        multiLineStrings: true,
        hooks: {
          "#": (stream: { skipToEnd: () => void }) => {
            stream.skipToEnd()
            return "comment"
          },
        },
      }),
    ),
  ],
  [
    "rb ruby gemspec rake",
    mode(
      () => import("@codemirror/legacy-modes/mode/ruby"),
      ({ ruby }) => ruby,
    ),
  ],
  [
    "sh bash zsh shell console",
    mode(
      () => import("@codemirror/legacy-modes/mode/shell"),
      ({ shell }) => shell,
    ),
  ],
  [
    "swift",
    mode(
      () => import("@codemirror/legacy-modes/mode/swift"),
      ({ swift }) => swift,
    ),
  ],
  [
    "lua",
    mode(
      () => import("@codemirror/legacy-modes/mode/lua"),
      ({ lua }) => lua,
    ),
  ],
  [
    "toml",
    mode(
      () => import("@codemirror/legacy-modes/mode/toml"),
      ({ toml }) => toml,
    ),
  ],
  [
    "ini cfg conf properties env",
    mode(
      () => import("@codemirror/legacy-modes/mode/properties"),
      ({ properties }) => properties,
    ),
  ],
  [
    "dockerfile docker",
    mode(
      () => import("@codemirror/legacy-modes/mode/dockerfile"),
      ({ dockerFile }) => dockerFile,
    ),
  ],
  [
    "hs haskell",
    mode(
      () => import("@codemirror/legacy-modes/mode/haskell"),
      ({ haskell }) => haskell,
    ),
  ],
  [
    "sql",
    mode(
      () => import("@codemirror/legacy-modes/mode/sql"),
      ({ standardSQL }) => standardSQL,
    ),
  ],
  [
    "diff patch",
    mode(
      () => import("@codemirror/legacy-modes/mode/diff"),
      ({ diff }) => diff,
    ),
  ],
]

const loaders = new Map(table.flatMap(([names, load]) => names.split(" ").map((name) => [name, load] as const)))

const loaded = new Map<Loader, Highlighter>()

/** Returns the name of the language of a file, which is its extension. */
export const languageOf = (path: string): string =>
  /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? path.slice(path.lastIndexOf("/") + 1).toLowerCase()

/** Returns what colours a language if it is there already; undefined also if the language is unknown. */
export const highlighterOf = (language: string): Highlighter | undefined => {
  const loader = loaders.get(language.toLowerCase())
  return loader === undefined ? undefined : loaded.get(loader)
}

/** Loads what colours a language. Resolves with undefined if the language is unknown, or could not be loaded. */
export const loadHighlighter = async (language: string): Promise<Highlighter | undefined> => {
  const loader = loaders.get(language.toLowerCase())
  if (loader === undefined) return undefined
  const known = loaded.get(loader)
  if (known !== undefined) return known
  const found = await loader().catch(() => undefined)
  if (found !== undefined) loaded.set(loader, found)
  return found
}

/** The longest text that is coloured, in UTF-16 units. Longer ones are data, and would take too long. */
export const MAX_COLOURED = 200_000
