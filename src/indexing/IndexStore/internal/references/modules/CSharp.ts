/**
 * Types of C# by their name: files that are called like them. Such a file exports its types with their namespaces, so that
 * one of another namespace is not taken for it.
 */
import * as path from "node:path/posix"
import type { Files, Rules } from "./Rules.ts"

export const make = ({ filesIn, named }: Files): Rules => ({
  resolve: (from, specifier) => (specifier === "" ? [from] : named(`${specifier}.cs`)),
  // Parts of a class: `Form.cs` and `Form.Designer.cs`.
  peersOf: (file) => {
    const stem = path.basename(file).replace(/\..*$/, "")
    return filesIn(path.dirname(file)).filter(
      (each) => path.basename(each).startsWith(`${stem}.`) && each.endsWith(".cs"),
    )
  },
})
