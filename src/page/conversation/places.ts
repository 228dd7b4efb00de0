/** Finds the places in the code that an answer names. Pure. */

/**
 * Returns the path of a code span such as `src/main.ts`, or its `path:line` (`src/main.ts:12`, also `12-20` and
 * `12:5`). The path must be relative, with a folder and an extension: `localhost:80` and `example.com:443` are not
 * places.
 */
export const findPlace = (code: string): string | undefined => {
  const [, path = "", line = ""] = PLACE.exec(code) ?? []
  if (path === "" || path.split("/").some((part) => part === ".." || part === ".")) return undefined
  return line === "" ? path : `${path}:${line}`
}

const PLACE =
  /^(?:\.\/)?((?:[\p{L}\p{N}_@.()[\]-]+\/)+[\p{L}\p{N}_@.()[\]-]+\.[a-z]\w{0,9})(?::([1-9]\d{0,6})(?:[-–]\d{1,7}|:\d{1,7})?)?$/iu
