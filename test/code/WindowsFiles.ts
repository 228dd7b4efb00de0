import * as path from "node:path"
import { Effect } from "effect"
import { FileError, NotAFolder, NotFound, Unreadable } from "../../src/code/FileError.ts"
import type * as Files from "../../src/code/Files.ts"

/** A file, a link to an absolute path, or a folder by the names of its entries. */
export type Node = string | { readonly link: string } | { readonly [name: string]: Node }

/** A short name that Windows has beside a long one, such as `GIT~1` for `.git`. */
const shortName = (name: string): string =>
  `${name
    .replace(/\W/g, "")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .slice(0, 6)}~1`

/** What NTFS drops of a name: trailing dots and spaces, and a stream. */
const plainName = (name: string): string => name.replace(/[. ]*(?::.*)?$/s, "")

/**
 * A file system as NTFS is one: names in any case, short names, alternate streams, names with dots and spaces at their
 * end, and devices in every folder. Of the port it has what a sandbox asks; all that it was asked for is in `asked`.
 */
export const make = (drives: Readonly<Record<string, Node>>) => {
  const asked: Array<string> = []

  const childOf = (folder: Node, name: string): readonly [string, Node] | undefined => {
    if (typeof folder === "string" || "link" in folder) return undefined
    const plain = plainName(name).toLowerCase()
    return Object.entries(folder).find(
      ([each]) => each.toLowerCase() === plain || shortName(each).toLowerCase() === plain,
    )
  }

  const walk = (file: string, links = 0): { readonly real: string; readonly node: Node; readonly isLink: boolean } => {
    if (links > 20) throw new Unreadable({ cause: new Error("ELOOP") })
    const absolute = path.win32.resolve(file)
    const { root } = path.win32.parse(absolute)
    let real = root.toUpperCase()
    let node: Node | undefined = drives[real]
    if (node === undefined) throw new NotFound()
    const names = absolute
      .slice(root.length)
      .split("\\")
      .filter((name) => name !== "")
    for (const [at, name] of names.entries()) {
      if (/^(?:con|nul|aux|com1)(?:[. :].*)?$/i.test(name))
        return { real: `\\\\.\\${name}`, node: "device", isLink: false }
      if (typeof node === "string") throw new NotAFolder()
      const child = childOf(node, name)
      if (child === undefined) throw new NotFound()
      const [spelled, next]: readonly [string, Node] = child
      if (typeof next === "object" && "link" in next && typeof next.link === "string") {
        const target = [next.link, ...names.slice(at + 1)].join("\\")
        const { node: found, real: there } = walk(target, links + 1)
        return { real: there, node: found, isLink: at === names.length - 1 }
      }
      real = path.win32.join(real, spelled)
      node = next
    }
    return { real, node, isLink: false }
  }

  const attempt = <A>(file: string, use: () => A) =>
    Effect.suspend(() => {
      asked.push(file)
      try {
        return Effect.succeed(use())
      } catch (reason) {
        // Only reasons are thrown above.
        return Effect.fail(new FileError({ path: file, reason: reason as NotFound }))
      }
    })

  const kindOf = (node: Node): Files.Kind =>
    typeof node === "string" ? (node === "device" ? "other" : "file") : "folder"
  const never = Effect.die("not asked by a sandbox")
  const service: Files.Service = {
    realPath: (file) => attempt(file, () => walk(file).real),
    stat: (file) =>
      attempt(file, () => {
        const { isLink, node } = walk(file)
        return { kind: isLink ? "link" : kindOf(node), size: 0, modified: 0 }
      }),
    list: (file) => attempt(file, () => ({ realPath: walk(file).real, entries: [] })),
    readReal: () => never,
    read: () => never,
    makeFolder: () => never,
    write: () => never,
    remove: () => never,
    removeFolder: () => never,
  }
  return { service, asked }
}
