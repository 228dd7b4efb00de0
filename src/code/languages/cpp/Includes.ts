/** Finds the files that `#include` means, and which files a file sees through those that it includes. */
import * as path from "node:path/posix"
import { closest, type Files } from "../../ModuleRules.ts"

export interface Includes {
  /**
   * Returns the file that a directive means, as `ModuleRules.Unit` writes it; `undefined` for one outside of the index.
   */
  readonly resolve: (from: string, written: string) => string | undefined
  /** Returns the files that a file includes, and those which they include in turn, with the file itself. */
  readonly seenBy: (file: string) => ReadonlySet<string>
}

/** The most files that one file sees. */
const MAX_SEEN = 3_000

/** The most files of which it is kept what they see. */
const MAX_KEPT = 200

export const make = ({ all, has, unitOf }: Pick<Files, "all" | "has" | "unitOf">): Includes => {
  let named: ReadonlyMap<string, ReadonlyArray<string>> | undefined
  const pathsNamed = (name: string): ReadonlyArray<string> => {
    named ??= Map.groupBy(all(), (file) => file.slice(file.lastIndexOf("/") + 1))
    return named.get(name) ?? []
  }

  const known = new Map<string, string | undefined>()
  const resolve = (from: string, written: string): string | undefined => {
    const folder = path.dirname(from)
    const key = `${folder} ${written}`
    if (known.has(key)) return known.get(key)
    const found = find(from, folder, written)
    known.set(key, found)
    return found
  }

  const find = (from: string, folder: string, written: string): string | undefined => {
    const isSystem = written.startsWith("<")
    const name = path.normalize(isSystem ? written.slice(1) : written)
    const beside = path.join(folder, name)
    if (!isSystem && has(beside)) return beside
    if (name.startsWith("../") || (isSystem && ofSystem.test(name))) return undefined
    const ending = pathsNamed(name.slice(name.lastIndexOf("/") + 1)).filter(
      (file) => file === name || file.endsWith(`/${name}`),
    )
    return closest(from, ending.map(toDeclared))?.path
  }

  const seen = new Map<string, ReadonlySet<string>>()
  const walk = (file: string): ReadonlySet<string> => {
    const found = new Set([file])
    for (const each of found) {
      if (found.size >= MAX_SEEN) break
      for (const written of unitOf(each)?.includes ?? []) {
        const target = resolve(each, written)
        if (target !== undefined) found.add(target)
      }
    }
    return found
  }

  return {
    resolve,
    seenBy: (file) => {
      const before = seen.get(file)
      if (before !== undefined) return before
      const found = walk(file)
      const [oldest] = seen.keys()
      if (seen.size >= MAX_KEPT && oldest !== undefined) seen.delete(oldest)
      seen.set(file, found)
      return found
    },
  }
}

const toDeclared = (file: string) => ({ path: file, ordinal: 0 })

/** Matches headers of the compiler and the system, which a project may have a file of the same name as. */
const ofSystem =
  /^(?:(?:sys|bits|linux|asm|arpa|net|netinet|machine|mach)\/.*|[a-z_\d]+|(?:assert|complex|ctype|dirent|dlfcn|errno|fcntl|fenv|float|getopt|inttypes|limits|locale|malloc|math|memory|netdb|poll|pthread|pwd|regex|sched|semaphore|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|syslog|termios|time|unistd|utime|wchar|wctype|windows|winsock2)\.h)$/
