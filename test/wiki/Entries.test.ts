import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Entries from "../../src/wiki/Entries.ts"

/** Returns what the manifests of a project name, as `name path symbol`. */
const namedIn = (texts: Readonly<Record<string, string>>, ...paths: ReadonlyArray<string>) =>
  Effect.map(
    Entries.read(new Set([...Object.keys(texts), ...paths]), (path) => Effect.succeed(texts[path])),
    (entries) => entries.map(({ name, path, symbol }) => [name, path, symbol ?? "-"].join(" ")),
  )

const scripts = "[project.scripts]\nserve = 'app.cli:run'\n"

describe("Entries.read", () => {
  it.effect.each<readonly [what: string, manifest: string, text: string, path: string, entries: ReadonlyArray<string>]>(
    [
      [
        "commands of setup.cfg",
        "setup.cfg",
        "[options.entry_points]\nconsole_scripts =\n    http = app.__main__:main\n    https = app.__main__:main\n\n[flake8]\n",
        "app/__main__.py",
        ["http app/__main__.py main", "https app/__main__.py main"],
      ],
      [
        "commands of setup.py",
        "setup.py",
        "setup(entry_points={'console_scripts': ['fetch = app.core:start']})",
        "app/core.py",
        ["fetch app/core.py start"],
      ],
      ["scripts of pyproject.toml", "pyproject.toml", scripts, "app/cli.py", ["serve app/cli.py run"]],
      ["a module below src", "pyproject.toml", scripts, "src/app/cli.py", ["serve src/app/cli.py run"]],
      [
        "a module that is a folder",
        "pyproject.toml",
        scripts,
        "app/cli/__init__.py",
        ["serve app/cli/__init__.py run"],
      ],
      ["no file that is not there", "pyproject.toml", scripts, "app/other.py", []],
      [
        "programs of Node.js",
        "package.json",
        '{"name":"a","bin":{"go":"./bin/go.js"}}',
        "bin/go.js",
        ["go bin/go.js -"],
      ],
      ["what is built only later", "package.json", '{"name":"a","main":"dist/a.js"}', "src/a.ts", []],
      ["nothing of a broken manifest", "package.json", "{", "src/a.ts", []],
      [
        "programs of Rust",
        "Cargo.toml",
        '[[bin]]\nname = "fetch"\npath = "src/fetch.rs"\n',
        "src/fetch.rs",
        ["fetch src/fetch.rs -"],
      ],
    ],
  )("names %s", ([, manifest, text, path, entries]) =>
    Effect.map(namedIn({ [manifest]: text }, path), (found) => assert.deepStrictEqual(found, entries)),
  )
})

describe("Entries.isEntryName", () => {
  it.each(["src/main.rs", "app/__main__.py", "index.html", "bin/tool", "cmd/serve/run.go", "src/Program.cs"])(
    "takes %s for a file at which a program is entered",
    (path) => assert.isTrue(Entries.isEntryName(path)),
  )

  it.each([
    "www/index.css",
    "styles/main.scss",
    "config/app.json",
    "cmd/deploy.yaml",
    "src/domain.rs",
    "src/exec/mod.rs",
    "binary/a.c",
  ])("does not take %s for one", (path) => assert.isFalse(Entries.isEntryName(path)))
})
