/**
 * Finds types of PHP by their qualified name, with slashes: files with the name of the type, as autoloading requires.
 * Such a file exports its types under their qualified names, so that a type of another namespace is not taken for it.
 */
import type { Files, Rules } from "./Rules.ts"

export const make = ({ named }: Files): Rules => ({
  resolve: (from, specifier) =>
    specifier === "" ? [from] : named(`${specifier.slice(specifier.lastIndexOf("/") + 1)}.php`),
})
