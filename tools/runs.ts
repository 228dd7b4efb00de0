/** The built program, as users start it. */
import * as assert from "node:assert/strict"
import * as fs from "node:fs"
import * as path from "node:path"
import { inFolder, root, run } from "./process.ts"

const project = {
  "greet.ts": "/** Says hello to a person by name. */\nexport const greet = (name: string) => name\n",
  "tool.py": 'def shout(text):\n    """Makes a text loud."""\n    return text.upper()\n',
}

export const runs = (): Promise<void> =>
  inFolder(project, async (cwd) => {
    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
    // With no model to be had on this machine, whatever runs on it.
    const env = { PATH: process.env.PATH, HOME: cwd, OLLAMA_HOST: "127.0.0.1:9" }
    const vibe = (...args: ReadonlyArray<string>) => run(path.join(root, "dist/bin.js"), args, { cwd, env })

    assert.equal(await vibe("--version"), `${version}\n`)
    assert.match(await vibe("--help"), /vibe index \./)
    assert.equal(await vibe("index", "."), "Starting indexing...\nIndexing complete.\n")
    const { results } = JSON.parse(await vibe("query", "make a text loud", "--json"))
    assert.equal(results[0].symbol, "shout")
    assert.match(await vibe("show", "greet"), /Says hello to a person by name/)
    assert.match(await vibe("status"), /2 of them major|symbols/)

    // The Node of the machine, which may be too old: then the program finds the one that the checkout brings.
    const outside = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"))
    const theirs = { ...env, PATH: outside.join(path.delimiter) }
    assert.match(await run(path.join(root, "dist/bin.js"), ["query", "greet"], { cwd, env: theirs }), /greet\.ts:2-2/)
  })
