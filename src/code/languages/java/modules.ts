/** Finds types of Java by package and name, in whatever file. A specifier is the name of a package. */
import { closest, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared }: Files): Rules => ({
  resolve: (from, specifier) => (specifier === "" ? [from] : []),
  member: (from, specifier, name) =>
    closest(
      from,
      declared("java", name).filter(
        ({ module, qualified }) => qualified === name && module === (specifier === UNNAMED ? "" : specifier),
      ),
    ),
  join: (specifier, name) => `${specifier}.${name}`,
})
