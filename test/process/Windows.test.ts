import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Windows from "../../src/process/Windows.ts"
import { anyText } from "../utils/anyText.ts"
import { environment, received } from "./windowsShell.ts"

const odd = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom(
      '"',
      "\\",
      "%",
      "^",
      "&",
      "|",
      "<",
      ">",
      "(",
      ")",
      "!",
      " ",
      "\t",
      ";",
      ",",
      "=",
      "a",
      "é",
      "%a%",
      '\\"',
      "PATH",
    ),
    anyText({ maxLength: 3 }),
  ),
  { maxLength: 8 },
).map((parts) => parts.join("").replaceAll(/[\0\r\n]/g, ""))

describe("Windows.batchCommand", () => {
  it.prop("passes any arguments to a batch file as they are", [FastCheck.array(odd, { maxLength: 4 })], ([args]) => {
    assert.deepStrictEqual(received("C:\\npm\\claude.cmd", args), ["C:\\npm\\claude.cmd", ...args])
  })

  it("passes what would be commands, variables and ends of quotes", () => {
    const args = [
      '" & calc.exe',
      "%PATH%",
      "%a%",
      "^&",
      "a|b",
      'C:\\dir with "quotes"\\',
      "",
      '"',
      "\\\\",
      "--tools",
      "",
    ]
    assert.deepStrictEqual(received("C:\\100%a%\\x & y.cmd", args), ["C:\\100%a%\\x & y.cmd", ...args])
  })

  it("leaves plain words as they are", () => {
    const command = Windows.batchCommand("C:\\npm\\npx.cmd", ["-y", "@scope/server@1.2", "C:\\x\\y.js"], environment)
    assert.deepStrictEqual(
      command,
      Either.right({
        program: "C:\\Windows\\System32\\cmd.exe",
        args: ["/e:ON", "/v:OFF", "/d", "/s", "/c", '""C:\\npm\\npx.cmd" -y @scope/server@1.2 C:\\x\\y.js"'],
        isVerbatim: true as const,
      }),
    )
  })

  it.each([["a\nb"], ["a\rb"], ["a\0b"]])("refuses %j, which cmd.exe cannot be passed", (arg) => {
    assert.isTrue(Either.isLeft(Windows.batchCommand("C:\\a.cmd", [arg], environment)))
  })

  it("refuses more than cmd.exe takes", () => {
    assert.isTrue(Either.isRight(Windows.batchCommand("C:\\a.cmd", ["x".repeat(8_000)], environment)))
    const refused = Windows.batchCommand("C:\\a.cmd", ["x".repeat(8_200)], environment)
    assert.match(
      Either.getOrThrow(Either.flip(refused)),
      /^its command line has 8\d\d\d characters, and cmd.exe takes 8191$/,
    )
  })
})

describe("Windows.shellCommand", () => {
  it("is the shell of COMSPEC, in any case", () => {
    assert.deepStrictEqual(Windows.shellCommand('less -R "x"', { comspec: "D:\\win\\CMD.EXE" }), {
      program: "D:\\win\\CMD.EXE",
      args: ["/d", "/s", "/c", '"less -R "x""'],
      isVerbatim: true,
    })
  })

  it.each([["C:\\tcc\\tcc.exe"], ["cmd.exe"], ["\\cmd.exe"], [undefined]])(
    "is Windows' own where COMSPEC is %s",
    (ComSpec) => {
      const given = { SystemRoot: "D:\\Windows", ...(ComSpec !== undefined && { ComSpec }) }
      assert.strictEqual(Windows.shellCommand("x", given).program, "D:\\Windows\\System32\\cmd.exe")
      assert.strictEqual(Windows.shellCommand("x", {}).program, "C:\\Windows\\System32\\cmd.exe")
    },
  )
})

describe("Windows.isBatchFile", () => {
  it("is said by the extension, in any case", () => {
    assert.isTrue(Windows.isBatchFile("C:\\npm\\claude.CMD"))
    assert.isTrue(Windows.isBatchFile("a.bat"))
    assert.isFalse(Windows.isBatchFile("C:\\claude.cmd.exe"))
  })
})
