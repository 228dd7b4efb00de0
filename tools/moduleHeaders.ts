/**
 * Gives declaration files the documentation of their modules: tsc drops it with the first
 * import where types do not need that.
 */
import * as fs from "node:fs"
import * as path from "node:path"

/** A comment is of the module, not of a declaration, if an import follows. */
const header = /^(\/\*\*.*?\*\/)\s*import /s

/** The declarations with the header of their source, unless they have it. */
export const withHeader = (source: string, declarations: string): string => {
  const [, comment] = header.exec(source) ?? []
  if (comment === undefined || declarations.startsWith(comment)) return declarations
  // Otherwise the comment would become that of the first declaration.
  const separator = declarations.startsWith("import ") ? "" : "export {};\n"
  return `${comment}\n${separator}${declarations}`
}

/** Puts headers into the declaration files in `built` of the sources in `sources`. */
export const restoreHeaders = (sources: string, built: string): void => {
  for (const file of fs.readdirSync(built, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue
    const source = fs.readFileSync(path.join(sources, file.replace(/\.d\.ts$/, ".ts")), "utf8")
    const declarations = fs.readFileSync(path.join(built, file), "utf8")
    const restored = withHeader(source, declarations)
    if (restored !== declarations) fs.writeFileSync(path.join(built, file), restored)
  }
}
