import { assert, describe, it } from "@effect/vitest"
import * as FolderPurpose from "../../src/lookup/FolderPurpose.ts"

describe("FolderPurpose.documentsOf", () => {
  it("prefers the README, then the documentation of the module, then the manifest", () => {
    assert.deepStrictEqual(
      FolderPurpose.documentsOf("lib/store", ["package.json", "index.ts", "store.go", "other.go", "README.md", "a.ts"]),
      ["README.md", "store.go", "index.ts", "package.json"],
    )
  })
})

describe("FolderPurpose.read", () => {
  const said = "Keeps letters until they are sent."
  const cases: ReadonlyArray<readonly [name: string, text: string]> = [
    ["README.md", `# Queue\n\n[![build](x)](y)\n\n${said}\n\n## Use\n\nMore.\n`],
    [
      "README.md",
      `<kbd>\n  Show your love for queues with a mug!\n</kbd>\n\n_**Keeps**_ letters until they are sent.\n`,
    ],
    ["README.md", `# Queue\n\n⚠️  **NOTICE:** All queues have moved to [here](https://q.example).\n\n${said}\n`],
    ["README.rst", `Queue\n=====\n\n.. image:: x\n\n${said}\n`],
    ["__init__.py", `# licence\n"""${said}\n\nMore of it.\n"""\nimport os\n`],
    ["mod.rs", `//! ${said}\nuse std::io;\n`],
    ["queue.go", `// Package queue keeps nothing.\n\n// ${said}\npackage queue\n`],
    ["index.ts", `/**\n * ${said}\n */\nexport * from "./a.ts"\n`],
    ["package.json", JSON.stringify({ name: "queue", description: said })],
  ]
  for (const [name, text] of cases) {
    it(`reads ${name}: ${JSON.stringify(text)}`, () => {
      assert.strictEqual(FolderPurpose.read("src/queue", name, text)?.startsWith(said), true)
    })
  }

  it("says nothing where the document says nothing", () => {
    assert.isUndefined(FolderPurpose.read("src/queue", "__init__.py", "import os\n"))
    assert.isUndefined(FolderPurpose.read("src/queue", "README.md", "# Queue\n"))
    const notice =
      "# Queue\n\n⚠️  **NOTICE:** All queues have been moved as a repository of their own to [here](https://q.example).\n"
    assert.isUndefined(FolderPurpose.read("src/queue", "README.md", notice))
    assert.isUndefined(FolderPurpose.read("src/queue", "index.ts", "export * from './a.ts'\n"))
  })
})
