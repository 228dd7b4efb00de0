import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { candidates, find } from "../../src/process/Lookup.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

const plant = (file: string, mode = 0o755) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, "", { mode })
  return file
}

/** As `find` spells it where PATHEXT is not set. */
const extension = process.platform === "win32" ? ".EXE" : ""

describe("Lookup.find", () => {
  it.scoped("finds the first executable of the name in the folders of PATH", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const at = (...names: ReadonlyArray<string>) => path.join(folder, ...names)
      // Windows has no permission to execute: there it is the extension that counts.
      plant(at("a", process.platform === "win32" ? "agent.txt" : "agent"), 0o644)
      fs.mkdirSync(at("b", `agent${extension}`), { recursive: true })
      const first = plant(at("c", `agent${extension}`))
      plant(at("d", `agent${extension}`))
      const PATH = ["a", "b", "nowhere", "c", "d"].map((name) => at(name)).join(path.delimiter)
      assert.strictEqual(find("agent", { PATH }), first)
      assert.isUndefined(find("other", { PATH }))
      assert.isUndefined(find("agent", { PATH: "" }))
      assert.isUndefined(find("agent", {}))
    }),
  )

  it.scoped("accepts an absolute path, and no relative one", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = plant(path.join(folder, "bin", `agent${extension}`))
      assert.strictEqual(find(file, {}), file)
      assert.isUndefined(find(path.join(folder, "agent"), {}))
      assert.isUndefined(find("bin/agent", { PATH: folder }))
      assert.isUndefined(find("./agent", { PATH: path.join(folder, "bin") }))
    }),
  )
})

describe("Lookup.candidates", () => {
  it("ignores relative folders of PATH, in which a project could place programs", () => {
    assert.deepStrictEqual(candidates("a", { PATH: ".:/bin::bin:/usr/bin:" }, "linux"), ["/bin/a", "/usr/bin/a"])
  })

  it("tries the extensions of PATHEXT that are programs or batch files on Windows, in any case", () => {
    const environment = { Path: `C:\\bin;"D:\\x y";.`, PathExt: ".COM;.EXE;.CMD;.JS" }
    assert.deepStrictEqual(candidates("claude", environment, "win32"), [
      "C:\\bin\\claude.COM",
      "C:\\bin\\claude.EXE",
      "C:\\bin\\claude.CMD",
      "D:\\x y\\claude.COM",
      "D:\\x y\\claude.EXE",
      "D:\\x y\\claude.CMD",
    ])
    assert.deepStrictEqual(candidates("claude.exe", { PATH: "C:\\bin" }, "win32"), ["C:\\bin\\claude.exe"])
    assert.deepStrictEqual(candidates("npx.cmd", { PATH: "C:\\bin" }, "win32"), ["C:\\bin\\npx.cmd"])
    assert.deepStrictEqual(candidates("C:\\bin\\claude", { PATHEXT: ".EXE" }, "win32"), ["C:\\bin\\claude.EXE"])
    assert.deepStrictEqual(candidates("\\\\server\\share\\a.exe", {}, "win32"), ["\\\\server\\share\\a.exe"])
  })

  it("takes nothing on Windows that depends on the current folder or drive", () => {
    const environment = { PATH: "\\tools;C:tools;..\\x;C:\\bin", PATHEXT: ".EXE" }
    assert.deepStrictEqual(candidates("a", environment, "win32"), ["C:\\bin\\a.EXE"])
    for (const command of ["bin\\a", "bin/a", ".\\a", "\\bin\\a", "C:a", "a:stream"]) {
      assert.deepStrictEqual(candidates(command, environment, "win32"), [], command)
    }
  })
})
