/** Finds the entry of a language in the table, by the name of a file or its `#!` line, by id and by grammar. */
import { type Entry, entries } from "./table.ts"

/**
 * Returns the language of a file; `undefined` for names of no known language, such as `LICENSE` and `data.bin`. `text`
 * is that of the file, whose `#!` line counts if its name has no extension.
 */
export const ofFile = (path: string, text = ""): Entry | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const [stem = "", ...extensions] = name.split(".")
  // The stem is for `Dockerfile.dev` and `Makefile.am`.
  const named = byName.get(name) ?? byExtension.get(extensions.at(-1) ?? "") ?? byName.get(stem)
  if (named !== undefined) return named
  if (extensions.length === 0) return byInterpreter.get(interpreterIn(text))
  return extensions.at(-1) === "inc" ? byExtension.get(extensionOfIncluded(text)) : undefined
}

/** Returns the extension of the language of a file that others include: `.inc` is used for C, C++, PHP and others. */
const extensionOfIncluded = (text: string): string =>
  /^\s{0,200}<\?(?:php|=|\s)/.test(text) ? "php" : likeC.test(text) ? "cpp" : ""

/** Matches a line that only C or C++ has. Assemblers have `%define` and `.macro`, and some have `#include` too. */
const likeC =
  /^(?:#[ \t]*(?:include[ \t]*[<"]|define[ \t]+\w+\(|if[ \t]+defined|ifdef|ifndef|undef)|(?:static|extern|typedef|template|namespace|struct|class|inline|const)\b|[A-Z_][A-Z0-9_]{2,80}\()/m

/** Returns the interpreter in a `#!` line without its version: `python` for `#!/usr/bin/env -S python3.12 -u`. */
const interpreterIn = (text: string): string => {
  const [, program = "", words = ""] = /^#![ \t]*(\S{1,200})([^\n]{0,200})/.exec(text) ?? []
  const isEnv = /(?:^|\/)env$/.test(program)
  const called = isEnv ? words.split(/\s+/).find((word) => word !== "" && !/^-|=/.test(word)) : program
  const name = called?.slice(called.lastIndexOf("/") + 1).replace(/-?[\d.]+$/, "")
  return name?.toLowerCase() ?? ""
}

const indexBy = (words: (entry: Entry) => string | undefined): ReadonlyMap<string, Entry> =>
  new Map(
    entries.flatMap((entry) =>
      (words(entry) ?? "").split(" ").flatMap((word) => (word === "" ? [] : [[word, entry] as const])),
    ),
  )

const byName = indexBy(({ names }) => names)
const byExtension = indexBy(({ extensions }) => extensions)
const byInterpreter = indexBy(({ interpreters }) => interpreters)
const byGrammar = indexBy(({ grammar }) => grammar)
const byId = indexBy(({ id }) => id)

/** Returns a language that is parsed with this grammar: C or C++ for `cpp`, which have the same rules. */
export const withGrammar = (grammar: string): Entry | undefined => byGrammar.get(grammar)

export const withId = (id: string): Entry | undefined => byId.get(id)
