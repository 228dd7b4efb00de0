import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as NpmNode from "../../tools/npmNode.ts"

const root = path.join(import.meta.dirname, "../..")

describe("NpmNode.complain", () => {
  it.each([
    ["npm/10.8.2 node/v18.20.8 linux x64 workspaces/false", true],
    ["npm/10.8.2 node/v20.18.3 darwin arm64", true],
    ["npm/10.9.0 node/v21.7.3 linux x64", true],
    ["npm/10.9.0 node/v22.11.0 linux x64", true],
    ["npm/11.19.1 node/v20.19.0 linux x64", false],
    ["npm/10.9.0 node/v22.12.0 win32 x64", false],
    ["npm/11.0.0 node/v23.0.0 linux x64", false],
    ["npm/11.19.1 node/v26.10.0 linux x64", false],
    ["bun/1.3.0", false],
    [undefined, false],
  ])("of %j is %j", (userAgent, complains) => assert.strictEqual(NpmNode.complain(userAgent) !== undefined, complains))

  it("names the version and what to do, in one line", () =>
    assert.match(
      NpmNode.complain("npm/10.8.2 node/v18.20.8 linux x64") ?? "",
      /^vibe: .*Node 18\.20,.*'npm ci' again with Node 20\.19.*$/,
    ))

  it("needs what the bundler needs", () => {
    const { engines } = JSON.parse(fs.readFileSync(path.join(root, "node_modules/rolldown/package.json"), "utf8"))
    assert.strictEqual(engines.node, NpmNode.NEEDED)
  })
})
