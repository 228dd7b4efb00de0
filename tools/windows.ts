/** The tests that hold in Windows, and the built program in a folder there. Runs on any system. */
import * as path from "node:path"
import { inFolder, root, run } from "./process.ts"
import { tests } from "./vitest.ts"
import { files } from "./windowsTests.ts"

const sources = {
  "src/a.ts": "/** Adds two numbers. */\r\nexport const add = (a: number, b: number): number => a + b\r\n",
  "src/b.py": "from a import add\r\n\r\ndef twice(n):\r\n    return add(n, n)\r\n",
}

/** What a run has to print. */
const runs = (folder: string): ReadonlyArray<readonly [args: ReadonlyArray<string>, printed: string]> => [
  [["index", "."], "Indexing complete."],
  [["query", "add numbers"], "src/a.ts:2-2"],
  [["show", path.join("src", "a.ts:2")], "Adds two numbers."],
  [["show", `${path.join(folder, "src", "a.ts")}:2`], "Adds two numbers."],
  [["map", `src${path.sep}`], "src/b.py"],
  [["install", "claude", "--command", "npx", "--print"], "vibe-index"],
]

const tryProgram = (): Promise<void> =>
  inFolder(sources, async (folder) => {
    const home = path.join(folder, "home")
    const env = { ...process.env, HOME: home, USERPROFILE: home, LOCALAPPDATA: home, XDG_STATE_HOME: home }
    for (const [args, printed] of runs(folder)) {
      const stdout = await run(process.execPath, [path.join(root, "dist/bin.js"), ...args], { cwd: folder, env })
      if (!stdout.includes(printed)) throw new Error(`vibe ${args.join(" ")} does not print ${printed}:\n${stdout}`)
    }
  })

const { failed, output, passed } = await tests(["--project", "modules"], files)
if (failed > 0) process.stdout.write(output)
process.stdout.write(`${process.platform}, Node ${process.version}: ${passed} tests passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
await tryProgram()
process.stdout.write("the program runs\n")
