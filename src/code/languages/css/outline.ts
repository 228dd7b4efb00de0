/** CSS: no symbols, but names that others use. */
import { imports, type Rules, unquote } from "../../Symbols/internal/outline/Rules.ts"

export const rules: Rules = {
  identifiers: ["class_name", "id_name", "property_name", "keyframes_name", "function_name"],
  comments: ["comment"],
  definitions: {},
  actions: {
    import_statement: imports((node) => {
      const [, path] = /^@import\s+(?:url\(\s*)?("[^"]*"|'[^']*'|[^\s);]+)/.exec(node.text) ?? []
      return unquote(path) ?? path
    }),
  },
  exported: () => false,
}
