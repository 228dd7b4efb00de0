/** `vibe chat --document` as a process: a file that the model changes, while another program has it open. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, type Options, shell, vibe } from "./vibe.ts"

const call = (parameters: object) => ({ toolCalls: [{ name: "revise_document", arguments: parameters }] })
const edit = (find: string, replace: string) => call({ edits: [{ find, replace }] })

const withScript = (script: ReadonlyArray<unknown>, files: Readonly<Record<string, string>> = {}) =>
  folder({ "script.json": JSON.stringify(script), ...files })

/** The conversation, in which the user sends these lines. */
const chat = (lines: ReadonlyArray<string>, args: string, options: Options) => {
  fs.writeFileSync(path.join(options.cwd, "lines"), lines.map((line) => `${line}\n`).join(""))
  return shell(`vibe chat --model scripted/script.json ${args} < lines`, options)
}

/** The words on stderr that the user waits for, and what they do then, in order. */
type Step = readonly [words: string, then: (say: (line: string) => void, leave: () => void) => void]

/** The same, with a user who waits for words on stderr before they act. */
const talking = (first: string, steps: ReadonlyArray<Step>, cwd: string) => {
  const fifo = path.join(cwd, "fifo")
  execFileSync("mkfifo", [fifo])
  const lines = fs.createWriteStream(fifo)
  const left = [...steps]
  let heard = ""
  lines.write(`${first}\n`)
  return shell("vibe chat --model scripted/script.json --document plan.md < fifo", {
    cwd,
    onStderr: (text) => {
      heard += text
      for (let step = left[0]; step !== undefined && heard.includes(step[0]); step = left[0]) {
        heard = heard.slice(heard.indexOf(step[0]) + step[0].length)
        left.shift()
        step[1](
          (line) => lines.write(`${line}\n`),
          () => lines.end(),
        )
      }
    },
  }).pipe(Effect.map((ended) => ({ ...ended, left: left.map(([words]) => words) })))
}

const read = (cwd: string, file = "plan.md") => fs.readFileSync(path.join(cwd, file), "utf8")

describe("vibe chat --document", () => {
  it.scopedLive("changes the file, shows the diff, and keeps line endings, permissions and a link", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([edit("two\n", "2\n\n"), "Done."], { "real/plan.md": "one\r\ntwo\r\nthree" })
      fs.symlinkSync("real/plan.md", path.join(cwd, "plan.md"))
      fs.chmodSync(path.join(cwd, "real/plan.md"), 0o640)
      const { code, stderr, stdout } = yield* chat(["Numbers"], "--document plan.md", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.include(stdout, "--- plan.md\n+++ plan.md\n")
      assert.include(stdout, "-two\n+2\n")
      assert.match(stdout, /Done\.\n$/)
      assert.strictEqual(read(cwd), "one\r\n2\r\n\r\nthree")
      assert.isTrue(fs.lstatSync(path.join(cwd, "plan.md")).isSymbolicLink())
      assert.strictEqual(fs.statSync(path.join(cwd, "real/plan.md")).mode & 0o777, 0o640)
      assert.deepStrictEqual(fs.readdirSync(path.join(cwd, "real")), ["plan.md"])
    }),
  )

  it.scopedLive("notices a save between messages, and sends it to the model", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([edit("two", "2"), "Done.", "I see."], { "plan.md": "one\ntwo\n" })
      const save = () => {
        fs.writeFileSync(path.join(cwd, "new"), "one\n2\nmine\n")
        fs.renameSync(path.join(cwd, "new"), path.join(cwd, "plan.md"))
      }
      const steps: ReadonlyArray<Step> = [
        // Its own write is none of the person's.
        ["calls revise_document", () => whenever(() => read(cwd) === "one\n2\n", save)],
        [
          "You saved plan.md: the model will see the changes",
          (say, leave) => {
            say("What do you see?")
            leave()
          },
        ],
      ]
      const { code, left, stderr } = yield* talking("Numbers", steps, cwd)
      assert.deepStrictEqual([code, left], [0, []], stderr)
      assert.lengthOf(stderr.split("You saved"), 2)
      const { stdout } = yield* vibe(["loom", "log", "@", "--json"], { cwd })
      assert.include(stdout, '[user edited prompt to: \\"one\\n2\\nmine\\n\\"]')
      assert.strictEqual(read(cwd), "one\n2\nmine\n")
    }),
  )

  it.scopedLive("does not create a removed file again until the user asks for it", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([edit("one", "1"), "Done.", edit("two", "2"), "Done."], { "plan.md": "one\ntwo\n" })
      const isThere = () => fs.existsSync(path.join(cwd, "plan.md"))
      let wasThere = true
      const steps: ReadonlyArray<Step> = [
        [
          "calls revise_document",
          () =>
            whenever(
              () => read(cwd).startsWith("1"),
              () => fs.rmSync(path.join(cwd, "plan.md")),
            ),
        ],
        ["plan.md is gone; its text is kept here", (say) => say("Go on")],
        [
          "plan.md is not made again by itself",
          (say, leave) => {
            wasThere = isThere()
            say("/write")
            leave()
          },
        ],
      ]
      const { code, left, stderr } = yield* talking("Numbers", steps, cwd)
      assert.deepStrictEqual([code, left], [0, []], stderr)
      assert.isFalse(wasThere)
      assert.strictEqual(read(cwd), "1\n2\n")
    }),
  )

  it.scopedLive("reports a file that cannot be written, and keeps the model's text", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([edit("one", "1"), "Done."], { "plan.md": "one\n" })
      fs.chmodSync(path.join(cwd, "plan.md"), 0o444)
      const { code, stderr, stdout } = yield* chat(["Numbers", "/document"], "--document plan.md", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "plan.md: cannot be written. What the model changed is kept here and in the conversation")
      assert.strictEqual(read(cwd), "one\n")
      assert.match(stdout, /\n1\n/)
    }),
  )

  it.scopedLive("begins with an empty text for a missing file, and creates it with the first change", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(["Tell me more.", call({ text: "# Plan" }), "Done."])
      yield* chat(["Hello"], "--document new.md", { cwd })
      assert.isFalse(fs.existsSync(path.join(cwd, "new.md")))
      fs.writeFileSync(path.join(cwd, "script.json"), JSON.stringify([call({ text: "# Plan" }), "Done."]))
      const { code, stderr } = yield* chat(["Begin"], "--document new.md --resume", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(read(cwd, "new.md"), "# Plan\n")
      const { stdout } = yield* vibe(["chat", "--document", "new.md", "--list"], { cwd })
      assert.match(stdout, /^\S+ {2}Hello {2}just now, 4 messages\n$/)
      const log = (yield* vibe(["loom", "log", "@", "--json"], { cwd })).stdout
      for (const words of ["Hello", "Tell me more.", "Begin", "Done."]) assert.include(log, words)
    }),
  )

  it.scopedLive("prints one line for a file that is no text, before any request", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([], {
        "binary.md": "a\0b",
        "large.md": "a".repeat(2_000_001),
        "folder/": "",
      })
      execFileSync("mkfifo", [path.join(cwd, "pipe")])
      const cases: ReadonlyArray<readonly [file: string, words: string]> = [
        ["binary.md", "binary.md: binary, 3 bytes"],
        ["large.md", "large.md: larger than 2000000 bytes"],
        ["folder", "folder: not a file"],
        ["pipe", "pipe: not a file"],
        ["/dev/null", "/dev/null: not a file"],
        ["nowhere/plan.md", "nowhere/plan.md: no such file or folder"],
      ]
      for (const [file, words] of cases) {
        const { code, stderr, stdout } = yield* chat(["Hi"], `--document ${file}`, { cwd })
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        assert.include(stderr, words)
        assert.lengthOf(stderr.trimEnd().split("\n"), 1)
      }
    }),
  )

  it.scopedLive("prints no escape sequences of a text, and writes them to the file", () =>
    Effect.gen(function* () {
      const evil = "\u001b]52;c;ZXZpbA==\u0007seen\u001b[2J\n"
      const cwd = yield* withScript([call({ text: evil }), "Done."], { "plan.md": "one\n" })
      const { stderr, stdout } = yield* chat(["Go", "/document", "/diff"], "--document plan.md", { cwd })
      assert.include(stdout, "+seen")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is looked for.
      assert.notMatch(stdout + stderr, /[\u0007\u001b\u009b]/)
      assert.strictEqual(read(cwd), evil)
    }),
  )
})

/** Once something is so. */
const whenever = (isSo: () => boolean, then: () => void): void => {
  if (isSo()) then()
  else setImmediate(() => whenever(isSo, then))
}
