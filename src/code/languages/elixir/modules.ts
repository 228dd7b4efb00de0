/**
 * Finds modules of Elixir by their whole names, in whatever file. A specifier is `=A.B` for what is below that name, so
 * that `A.B.C` is the member `C` of `=A.B`, and `=` for modules whose name has one part.
 */
import { closest, type Declared, type Files, type Rules } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared }: Files): Rules => {
  const find = (from: string, qualified: string): Declared | undefined => {
    // A module has the name that its file writes: `C` in `A.B`, or `A.B.C`.
    const parts = qualified.split(".")
    const all = parts
      .flatMap((_, first) => declared("elixir", parts.slice(first).join(".")))
      .filter((each) => each.qualified === qualified && (each.kind === "module" || each.kind === "interface"))
    const own = all.find(({ path }) => path === from)
    return own ?? (all.length > MAX_COMPARED ? undefined : closest(from, all))
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) =>
      specifier.startsWith("=") ? find(from, specifier === "=" ? name : `${specifier.slice(1)}.${name}`) : undefined,
    hidesDoubles: true,
  }
}

/** The most modules of one name of which the closest is sought. */
const MAX_COMPARED = 50
