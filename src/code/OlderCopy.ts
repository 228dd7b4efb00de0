/** Older copies: files in a folder such as `v1` or `deprecated` whose current version stands beside that folder. */

/**
 * Returns whether a file is an older copy of one that the project still has: `a/v1/main.py` beside `a/main.py` or
 * `a/v2/main.py`, `legacy/Button.tsx` beside `Button.tsx` in any folder below the one with `legacy`. `has` says whether
 * a path exists. A folder of such a name without a counterpart holds the current code.
 */
export const isOlder = (path: string, has: (path: string) => boolean): boolean => {
  const folders = path.split("/")
  return folders.slice(0, -1).some((folder, at) => {
    const withFolder = (other: ReadonlyArray<string>) =>
      has([...folders.slice(0, at), ...other, ...folders.slice(at + 1)].join("/"))
    const [, mark = "", version] = versioned.exec(folder) ?? []
    if (version !== undefined) {
      const next = Array.from({ length: MAX_VERSIONS }, (_, step) => `${mark}${Number(version) + step + 1}`)
      return withFolder([]) || next.some((newer) => withFolder([newer]))
    }
    return outdated.test(folder) && (withFolder([]) || current.some((name) => withFolder([name])))
  })
}

const versioned = /^(v|version)[-_]?(\d{1,3})$/i

/** How many versions above a number are looked for. */
const MAX_VERSIONS = 5

const outdated = /^_?(?:legacy|deprecated|compat|old|obsolete|outdated)$/i

/** Folders that a project may keep its current code in, beside one for the older code. */
const current = ["src", "lib", "current", "next", "new", "latest"]
