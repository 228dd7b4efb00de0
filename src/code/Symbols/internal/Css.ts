/** CSS: no symbols, but names that others use. */
import { imports, type Rules, unquoted } from "./Rules.ts"

export const css: Rules = {
  identifiers: ["class_name", "id_name", "property_name", "keyframes_name", "function_name"],
  comments: ["comment"],
  definitions: {},
  marks: {
    import_statement: imports((node) => {
      const [, path] = /^@import\s+(?:url\(\s*)?("[^"]*"|'[^']*'|[^\s);]+)/.exec(node.text) ?? []
      return unquoted(path) ?? path
    }),
  },
  exported: () => false,
}
