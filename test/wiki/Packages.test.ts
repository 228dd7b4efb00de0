import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Packages from "../../src/wiki/Packages.ts"

const texts: Readonly<Record<string, string>> = {
  "README.md": "# Tools\n\nTools for shops.\n",
  "package.json": '{ "name": "tools" }',
  "packages/cart/package.json": '{ "name": "@tools/cart", "description": "Holds what is bought" }',
  "packages/cart/src/cart.ts": "",
  "packages/cart/native/Cargo.toml": '[package]\nname = "native"\n',
  "packages/cart/native/src/lib.rs": "",
  "packages/mail/composer.json": '{ "name": "tools/mail" }',
  "packages/mail/README.md": "# Mail\n\nSends mails to customers. And more.\n",
  "packages/mail/mail.php": "",
  "packages/empty/package.json": '{ "name": "empty" }',
  "packages/build/CMakeLists.txt": "add_library(build)",
  "packages/build/build.c": "",
  "examples/one/package.json": '{ "name": "one" }',
  "examples/one/index.ts": "",
}

const files = Object.keys(texts).map((path) => ({
  path,
  class: path.startsWith("examples/") ? ("example" as const) : ("code" as const),
  symbols: path.endsWith(".ts") ? 9 : /\.(?:rs|php|c)$/.test(path) ? 3 : 0,
}))

const textOf = (path: string) => Effect.succeed(texts[path])

describe("Packages", () => {
  it.effect("are folders with a manifest that names them and code, with what this or the README says", () =>
    Effect.gen(function* () {
      const found = yield* Packages.read(files, textOf)
      assert.deepStrictEqual(
        found.map(({ about, folder, item, name }) => [folder, name, about, item.path]),
        [
          ["packages/cart", "@tools/cart", "Holds what is bought.", "packages/cart/package.json"],
          ["packages/cart/native", "native", undefined, "packages/cart/native/Cargo.toml"],
          ["packages/mail", "tools/mail", "Sends mails to customers.", "packages/mail/composer.json"],
        ],
      )
    }),
  )

  it.effect("have READMEs that are read with that of the repository", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* Packages.readmes(files, textOf),
        `${texts["README.md"]}\n\n${texts["packages/mail/README.md"]}`,
      )
    }),
  )

  it("have the files below them that no package inside has", () => {
    const folders = new Set(["packages/cart", "packages/cart/native"])
    assert.strictEqual(Packages.packageOf(folders, "packages/cart/src/cart.ts"), "packages/cart")
    assert.strictEqual(Packages.packageOf(folders, "packages/cart/native/src/lib.rs"), "packages/cart/native")
    assert.isUndefined(Packages.packageOf(folders, "packages/carts.ts"))
    assert.deepStrictEqual(Packages.foldersOf([{ path: "package.json", class: "code", symbols: 1 }]), [])
  })
})
