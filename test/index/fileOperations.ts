/** Random changes of the files of a folder: written, moved, removed and ignored. */
import * as fs from "node:fs"
import * as path from "node:path"
import { FastCheck } from "effect"

export const { constantFrom } = FastCheck

const file = constantFrom("a.ts", "b.ts", "src/a.ts", "src/b.ts", "src/deep/c.ts", "lib/d.ts", "lib/deep/c.ts")

const folder = constantFrom("src", "lib", "src/deep", "lib/deep", "other")

const any = FastCheck.oneof(file, folder)

const name = constantFrom("oak", "elm", "ash")

const rules = constantFrom("", "lib/\n", "*.ts\n!a.ts\n", "src/*\n!src/deep\n", "deep\n")

/** Something that happens to a folder, and fails where it cannot; `number` makes no two texts the same. */
type Operation = (root: string, number: number) => void

const text = (one: string, other: string, number: number): string =>
  `import { ${other} } from "./b.ts"\nexport function ${one}() {\n  return ${other}(${number})\n}\n${"\n".repeat(number)}`

const write = (target: string, content: string): void => {
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, content)
}

const operation: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  FastCheck.tuple(file, name, name).map(
    ([at, one, other]): Operation =>
      (root, number) =>
        write(path.join(root, at), text(one, other, number)),
  ),
  // As editors save: a new file is renamed over the old one.
  FastCheck.tuple(file, name).map(
    ([at, one]): Operation =>
      (root, number) => {
        write(path.join(root, `${at}.tmp`), text(one, one, number))
        fs.renameSync(path.join(root, `${at}.tmp`), path.join(root, at))
      },
  ),
  FastCheck.tuple(any, any).map(
    ([from, to]): Operation =>
      (root) =>
        fs.renameSync(path.join(root, from), path.join(root, to)),
  ),
  any.map(
    (at): Operation =>
      (root) =>
        fs.rmSync(path.join(root, at), { recursive: true }),
  ),
  folder.map(
    (at): Operation =>
      (root) =>
        fs.mkdirSync(path.join(root, at), { recursive: true }),
  ),
  FastCheck.tuple(any, any).map(
    ([to, at]): Operation =>
      (root) =>
        fs.symlinkSync(path.join(root, to), path.join(root, at)),
  ),
  FastCheck.tuple(constantFrom(".gitignore", "src/.gitignore", ".vibeignore"), rules).map(
    ([at, rules]): Operation =>
      (root, number) =>
        write(path.join(root, at), rules + "#".repeat(number)),
  ),
  constantFrom("*.ts linguist-generated\n", "lib/** linguist-vendored\n").map(
    (rules): Operation =>
      (root, number) =>
        write(path.join(root, ".gitattributes"), rules + "#".repeat(number)),
  ),
)

/** What happens between two questions, for several questions. */
export const story = FastCheck.array(FastCheck.array(operation, { maxLength: 6 }), { minLength: 1, maxLength: 5 })
