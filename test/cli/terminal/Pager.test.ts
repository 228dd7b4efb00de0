import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Pager from "../../../src/cli/terminal/Pager.ts"
import * as ChildProcess from "../../../src/process/ChildProcess.ts"

describe("fits", () => {
  const screen = { columns: 10, rows: 4 }

  it.each<[text: string, fits: boolean]>([
    ["a\nb\nc\n", true],
    ["a\nb\nc\nd\n", false],
    [`${"x".repeat(20)}\nc\n`, true],
    [`${"x".repeat(21)}\nc\n`, false],
    ["漢字漢字漢字\nc\n", true],
    ["漢字漢字漢字\nb\nc\n", false],
    [`\x1b[1m${"x".repeat(10)}\x1b[22m\nb\nc\n`, true],
    ["\n\n\n", true],
    ["\n\n\n\n", false],
  ])("of %j is %s, with a row for the prompt", (text, fits) => {
    assert.strictEqual(Pager.fits(text, screen), fits)
  })
})

describe("commandOf", () => {
  it("is less, or PAGER through the shell, or nothing where that is empty or cat", () => {
    const command = (environment: Record<string, string>) => {
      const { args, env, program } = Pager.commandOf(environment, "linux") ?? {}
      return [program, args, env?.LESS]
    }
    assert.deepStrictEqual(command({}), ["less", ["-RFX"], undefined])
    assert.deepStrictEqual(command({ PAGER: "most -s" }), ["/bin/sh", ["-c", "most -s"], "RFX"])
    assert.deepStrictEqual(command({ PAGER: "less", LESS: "-i" }), ["/bin/sh", ["-c", "less"], "-i"])
    for (const PAGER of ["", " ", "cat"]) assert.isUndefined(Pager.commandOf({ PAGER }, "linux"))
  })

  it("is PAGER through cmd.exe on Windows, in any case of the variables", () => {
    const environment = { Pager: '"C:\\Program Files\\less.exe" -R', ComSpec: "D:\\cmd.exe", Less: "-i" }
    assert.deepStrictEqual(Pager.commandOf(environment, "win32"), {
      program: "D:\\cmd.exe",
      args: ["/d", "/s", "/c", '""C:\\Program Files\\less.exe" -R"'],
      isVerbatim: true,
      environment,
      env: { LESS: "-i" },
    })
  })
})

describe.skipIf(process.platform === "win32")("a pager", () => {
  it.live("may end before it has read all of its input", () =>
    Effect.gen(function* () {
      const command = { program: "/bin/sh", args: ["-c", "exit 3"], environment: {} }
      assert.strictEqual((yield* ChildProcess.runOnTerminal(command, "x".repeat(10_000_000))).code, 3)
      const reading = {
        ...command,
        args: ["-c", 'test "$(cat | wc -c)" -eq 200000'],
        environment: { PATH: "/usr/bin:/bin" },
      }
      assert.strictEqual((yield* ChildProcess.runOnTerminal(reading, "x".repeat(200_000))).code, 0)
    }),
  )
})
