/**
 * Finds types of C# by their name, in files of the same name. Such a file exports its types with their namespaces, so
 * that a type of another namespace is not taken for it.
 */
import * as path from "node:path/posix"
import type { Files, Rules } from "./Rules.ts"

export const make = ({ filesIn, named }: Files): Rules => ({
  resolve: (from, specifier) => (specifier === "" ? [from] : named(`${specifier}.cs`)),
  // A class may have several parts: `Form.cs` and `Form.Designer.cs`.
  peersOf: (file) => {
    const stem = path.basename(file).replace(/\..*$/, "")
    return filesIn(path.dirname(file)).filter(
      (each) => path.basename(each).startsWith(`${stem}.`) && each.endsWith(".cs"),
    )
  },
})
