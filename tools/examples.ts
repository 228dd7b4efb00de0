/** The programs in `examples`, type-checked against the built library, and run without a network and a key. */
import * as assert from "node:assert/strict"
import * as path from "node:path"
import { attempt, inFolder, root, run } from "./process.ts"

const project = {
  "src/retry.ts":
    "/** Waits before a request is sent again. */\nexport const backoff = (attempt: number) => 2 ** attempt\n",
}

const folder = path.join(root, "examples")

export const examples = (): Promise<void> =>
  inFolder(project, async (cwd) => {
    const node = (...args: ReadonlyArray<string>) =>
      attempt(process.execPath, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } })
    const print = async (name: string, ...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await node(path.join(folder, name), ...args)
      assert.deepEqual([code, stderr], [0, ""], `${name}: exit ${code}\n${stderr}`)
      return stdout
    }

    await run(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "--project", folder])
    assert.equal(
      await print("explore.ts", cwd, "how long to wait"),
      "purposes: 0 by a model, 1 from comments\nsrc/retry.ts:2 backoff: Waits before a request is sent again.\n",
    )
    assert.equal((await node(path.join(folder, "explore.ts"), "missing")).code, 1)
    assert.equal(await print("ownTool.ts"), "tool: 6\nmodel: It has six words.\n2 calls, 1 purpose\n")
    assert.equal(await print("toolServer.ts"), "shop_price\ntool: One apple is 40 cents.\nAn apple is 40 cents.\n")
    assert.equal(await print("ownModel.ts"), "three two one\n2 attempts\n")
    await run(process.execPath, [path.join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder])
  })
