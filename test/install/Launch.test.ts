import { assert, describe, it } from "@effect/vitest"
import * as Agent from "../../src/install/Agent.ts"
import * as Launch from "../../src/install/Launch.ts"

const machine = { node: "/opt/node/bin/node", script: "/opt/vibe-index/dist/bin.js" }
const cached = { ...machine, script: "/home/ada/.npm/_npx/0f/node_modules/vibe-index/dist/bin.js" }
const executables = ["/home/ada/.local/bin/vibe", "/opt/vibe-linux-x64", "C:\\Users\\ada\\bin\\vibe.exe"]

describe("Launch.choose", () => {
  const project = { scope: "project", isDependency: false } as const
  const user = { scope: "user", isDependency: false } as const

  it("takes the project's own vibe where there is one", () => {
    for (const isPublished of [false, true]) {
      assert.strictEqual(Launch.choose({ ...project, isDependency: true }, machine, isPublished), "local")
    }
  })

  it("takes no package from a registry that does not have vibe", () => {
    for (const place of [project, user]) assert.strictEqual(Launch.choose(place, cached, false), "path")
  })

  it("takes npx for what a team shares and for a vibe in npx's cache, once vibe is published", () => {
    assert.strictEqual(Launch.choose(project, machine, true), "npx")
    assert.strictEqual(Launch.choose(user, machine, true), "path")
    assert.strictEqual(Launch.choose(user, cached, true), "npx")
  })

  it("takes the path of the one executable, on a machine that may have no npx", () => {
    for (const file of executables) {
      assert.strictEqual(Launch.choose(project, { node: file, script: file }, true), "path")
      assert.deepStrictEqual(Launch.words("path", { node: file, script: file }), [file, "mcp"])
    }
  })
})

describe("Launch.isWritten", () => {
  it("is true of all that is written, wherever Node and vibe are", () => {
    const windows = { node: "C:\\node\\node.exe", script: "C:\\vibe\\dist\\bin.js" }
    for (const way of Launch.ways) {
      for (const each of [machine, cached, windows]) {
        assert.isTrue(Launch.isWritten(Launch.words(way, each)))
        assert.isTrue(Launch.isWritten(Launch.throughShell(Launch.words(way, each))))
      }
    }
    for (const file of executables) {
      const words = Launch.words("path", { node: file, script: file })
      assert.isTrue(Launch.isWritten(words), file)
      assert.isTrue(Agent.isOwn({ command: words[0], args: words.slice(1) }), file)
    }
  })

  it("is false for what another program writes", () => {
    for (const words of [
      [],
      ["vibe", "mcp"],
      ["/opt/vibe-other", "mcp"],
      ["npx", "vibe-index", "mcp"],
      ["npx", "-y", "vibe-index", "mcp", "--root", "x"],
      ["/opt/node", "/opt/vibe/server.js", "mcp"],
      ["cmd", "/c", "/opt/node/bin/node", "/opt/vibe/bin.js", "mcp"],
      ["cmd", "/c", "npx", "-y", "vibe-index", "mcp", "&", "calc"],
      ["cmd", "/c"],
    ]) {
      assert.isFalse(Launch.isWritten(words), words.join(" "))
    }
  })
})

describe("Launch.isDependencyIn", () => {
  it("reads the dependencies of a package.json, and of nothing else", () => {
    assert.isTrue(Launch.isDependencyIn('{"dependencies": {"vibe-index": "1"}}'))
    assert.isTrue(Launch.isDependencyIn('{"devDependencies": {"vibe-index": "file:../vibe"}}'))
    for (const text of ["", "[]", "null", '{"name": "vibe-index"}', '{"dependencies": {"vibe": "1"}}']) {
      assert.isFalse(Launch.isDependencyIn(text), text)
    }
  })
})
