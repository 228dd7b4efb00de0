/** Several repositories at once, as real folders: by `--repo`, by a workspace file, and over MCP. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, vibe } from "./vibe.ts"

const files = {
  "api/.git/": "",
  "api/src/orders.ts": "/** Pays an order back. */\nexport const refundOrder = (order: string) => order\n",
  "api/src/Session.ts": "export class Session {\n  renew() {\n    return 1\n  }\n}\n",
  "web/.git/": "",
  "web/src/basket.ts": "/** Shows the orders of a basket. */\nexport const basketPage = () => 1\n",
  "web/src/Session.ts": "export class Session {\n  cookie = 1\n}\n",
  "private/.git/": "",
  "private/salary.ts": "export const salary = 1\n",
}

const pathsIn = (stdout: string): ReadonlyArray<string> => {
  const { results }: { readonly results: ReadonlyArray<{ readonly path: string; readonly repo: string }> } =
    JSON.parse(stdout)
  return results.map(({ path, repo }) => `${repo} ${path}`)
}

describe("vibe with several repositories", () => {
  it.scopedLive("answers from those that --repo names, made where there is no index, and shows what was found", () =>
    Effect.gen(function* () {
      const top = yield* folder(files)
      const cwd = path.join(top, "web")
      const options = ["--repo", "../api", "--repo", "site=."]
      const first = yield* vibe(["query", ...options, "order"], { cwd })
      assert.strictEqual(first.code, 0, first.stderr)
      assert.match(first.stdout, /^(?:api\/src\/orders\.ts:2-2|site\/src\/basket\.ts:2-2) {2}/)
      assert.match(first.stderr, /vibe: \S+api has no index yet: it is made now\n/)
      const json = yield* vibe(["query", ...options, "--json", "--limit", "2", "order"], { cwd })
      assert.strictEqual(json.stderr, "")
      assert.sameMembers([...pathsIn(json.stdout)], ["api api/src/orders.ts", "site site/src/basket.ts"])
      const { repositories }: { readonly repositories: unknown } = JSON.parse(json.stdout)
      assert.deepStrictEqual(repositories, [
        { name: "api", root: fs.realpathSync(path.join(top, "api")) },
        { name: "site", root: fs.realpathSync(cwd) },
      ])
      const shown = yield* vibe(["show", ...options, "Session"], { cwd })
      assert.match(shown.stdout, /^api\/src\/Session\.ts:1-5 {2}class Session[\s\S]*\nsite\/src\/Session\.ts:1-3 /)
      const [, hint = ""] = /api and site have that name; of one of them: vibe (.*)\n/.exec(shown.stderr) ?? []
      assert.strictEqual(hint, "show --repo ../api --repo site=. api:Session")
      const pasted = yield* vibe(hint.split(" "), { cwd })
      assert.match(pasted.stdout, /^api\/src\/Session\.ts/)
      assert.notInclude(pasted.stdout, "site/")
      assert.strictEqual(pasted.stderr, "")
      // A path of this folder means the same.
      const own = yield* vibe(["show", ...options, "src/basket.ts:2"], { cwd })
      assert.match(own.stdout, /^site\/src\/basket\.ts:2-2/)
    }),
  )

  it.scopedLive("finds the workspace file of a folder above, and leaves out a folder that is not there", () =>
    Effect.gen(function* () {
      const file = '[[repo]]\npath = "api"\n\n[[repo]]\npath = "web"\nname = "site"\n\n[[repo]]\npath = "gone"\n'
      const top = yield* folder({ ...files, "vibe-workspace.toml": file })
      const cwd = path.join(top, "web", "src")
      const found = yield* vibe(["query", "--json", "--limit", "2", "order"], { cwd })
      assert.sameMembers([...pathsIn(found.stdout)], ["api api/src/orders.ts", "site site/src/basket.ts"])
      assert.match(found.stderr, /vibe-workspace\.toml:8: there is no folder gone: it is left out\n/)
      // A project that the file does not name is not part of it.
      yield* vibe(["index", ".", "--model", "offline"], { cwd: path.join(top, "private") })
      const other = yield* vibe(["query", "salary"], { cwd: path.join(top, "private") })
      assert.match(other.stdout, /^salary\.ts:1-1/)
      // Nor are the others part of one that is named.
      const one = yield* vibe(["query", "--root", "..", "basket page"], { cwd })
      assert.match(one.stdout, /^basket\.ts:2-2/)
    }),
  )

  it.scopedLive("reads nothing outside of the folder of a workspace file that the user has not named", () =>
    Effect.gen(function* () {
      const top = yield* folder({ ...files, "api/vibe-workspace.toml": '[[repo]]\npath = "../private"\n' })
      fs.symlinkSync(path.join(top, "private"), path.join(top, "web", "inside"))
      fs.writeFileSync(path.join(top, "web", "vibe-workspace.toml"), '[[repo]]\npath = "inside"\n')
      for (const [name, written] of [
        ["api", "../private"],
        ["web", "inside"],
      ] as const) {
        const cwd = path.join(top, name)
        const refused = yield* vibe(["query", "salary"], { cwd })
        assert.strictEqual(refused.code, 2)
        assert.include(refused.stderr, `vibe-workspace.toml:1: ${written} is outside of the folder of this file`)
        assert.isFalse(fs.existsSync(path.join(top, "private", ".vibe")))
      }
      const named = yield* vibe(["query", "--workspace", "vibe-workspace.toml", "salary"], {
        cwd: path.join(top, "api"),
      })
      assert.match(named.stdout, /^private\/salary\.ts:1-1/)
    }),
  )

  it.scopedLive("refuses two of one name, takes one that is named twice once, and leaves out a part of another", () =>
    Effect.gen(function* () {
      const top = yield* folder({ ...files, "old/api/.git/": "", "old/api/a.ts": "export const a = 1\n" })
      const twice = yield* vibe(["query", "--repo", "api", "--repo", "old/api", "order"], { cwd: top })
      assert.strictEqual(twice.code, 2)
      assert.match(twice.stderr, /two repositories are named 'api' \(.*\): name one of them as '--repo NAME=DIR'/)
      const same = yield* vibe(["query", "--repo", "api", "--repo", "./api/", "order"], { cwd: top })
      assert.match(same.stderr, /api is named twice, and is taken once, as api\n/)
      assert.match(same.stdout, /^api\/src\/orders\.ts/)
      fs.mkdirSync(path.join(top, "api", "src", ".git"))
      const part = yield* vibe(["query", "--json", "--repo", "api", "--repo", "api/src", "order"], { cwd: top })
      assert.match(part.stderr, /vibe: src is a part of api, whose index has its files: it is left out\n/)
      assert.deepStrictEqual(pathsIn(part.stdout), ["api api/src/orders.ts"])
      const both = yield* vibe(["query", "--repo", "api", "--root", "web", "order"], { cwd: top })
      assert.match(both.stderr, /option '--root' goes without '--repo'/)
      const gone = yield* vibe(["query", "--repo", "api", "--repo", "nowhere", "order"], { cwd: top })
      assert.strictEqual(gone.code, 2)
      assert.match(gone.stderr, /^vibe: nowhere: no such file or folder/)
      const bare = yield* vibe(["query", "--repo", "old", "order"], { cwd: top })
      assert.match(bare.stderr, /old: there is no index here yet/)
      assert.isFalse(fs.existsSync(path.join(top, "old", ".vibe")))
    }),
  )
})
