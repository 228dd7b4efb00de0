/** Projects for tests of units and parts: files with their classes and symbols, and uses between them. */
import { FastCheck as fc } from "effect"
import type { FileClass } from "../../src/code/FileClass.ts"

export const file = (path: string, symbols = 1, of: FileClass = "code") => ({ path, symbols, class: of })

/** Projects with folders up to four deep, some of them large, and with files that use each other. */
export const project = fc
  .uniqueArray(fc.tuple(fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 }), fc.nat(60)), {
    maxLength: 120,
    selector: ([folders, name]) => [...folders, name].join("/"),
  })
  .chain((named) => {
    const paths = named.map(([folders, name]) => [...folders, `f${name}.ts`].join("/"))
    const at = fc.nat(Math.max(0, paths.length - 1))
    return fc.record({
      files: fc.tuple(
        ...paths.map((path) =>
          fc.record({
            path: fc.constant(path),
            symbols: fc.nat(40),
            class: fc.constantFrom<FileClass>("code", "code", "code", "test"),
          }),
        ),
      ),
      uses: fc
        .array(fc.record({ from: at, to: at, count: fc.integer({ min: 1, max: 9 }) }), { maxLength: 200 })
        .map((all) => all.map(({ count, from, to }) => ({ from: paths[from] ?? "", to: paths[to] ?? "", count }))),
    })
  })
