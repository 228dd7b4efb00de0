import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Windows from "../../src/process/Windows.ts"

const environment = {
  ComSpec: "C:\\Windows\\System32\\cmd.exe",
  SystemRoot: "C:\\Windows",
  PATH: "C:\\secret",
  a: "& calc.exe",
}

/**
 * What cmd.exe makes of a line after `/c`: replaces variables, then ends the command at the first character that means
 * something outside of quotes. Fails there: a command that is split starts a program that an argument names.
 */
const throughShell = (line: string): string => {
  let expanded = ""
  for (let at = 0; at < line.length; at += 1) {
    const end = line.indexOf("%", at + 1)
    const name = line[at] === "%" && end > at + 1 ? line.slice(at + 1, end) : undefined
    const value =
      name === "cd:~,"
        ? ""
        : Object.entries(environment).find(([key]) => key.toUpperCase() === name?.toUpperCase())?.[1]
    expanded += value ?? line[at]
    if (value !== undefined) at = end
  }
  let isQuoted = false
  for (const character of expanded) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && /[&|<>^()\r\n]/.test(character)) assert.fail(`${character} ends the command: ${expanded}`)
  }
  assert.isFalse(isQuoted, `a quote is left open: ${expanded}`)
  return expanded
}

/** The arguments that a program of today's C runtime reads from its command line. */
const parseArguments = (line: string): ReadonlyArray<string> => {
  const args: Array<string> = []
  let at = 0
  while (at < line.length) {
    while (line[at] === " " || line[at] === "\t") at += 1
    if (at >= line.length) break
    let arg = ""
    let isQuoted = false
    for (; at < line.length && (isQuoted || (line[at] !== " " && line[at] !== "\t")); at += 1) {
      const [slashes = ""] = /^\\*/.exec(line.slice(at)) ?? []
      if (line[at + slashes.length] !== '"') {
        arg += slashes === "" ? line[at] : slashes
        at += Math.max(0, slashes.length - 1)
        continue
      }
      arg += "\\".repeat(Math.floor(slashes.length / 2))
      at += slashes.length
      if (slashes.length % 2 === 1) arg += '"'
      else if (isQuoted && line[at + 1] === '"') {
        arg += '"'
        at += 1
      } else isQuoted = !isQuoted
    }
    args.push(arg)
  }
  return args
}

/** The words after `/c`, as the batch file passes them on by `%*`. */
const received = (file: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const command = Either.getOrThrowWith(Windows.batchCommand(file, args, environment), (why) => new Error(why))
  const [line = ""] = command.args.slice(-1)
  assert.match(line, /^".*"$/s)
  return parseArguments(throughShell(line.slice(1, -1)))
}

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
    FastCheck.string({ maxLength: 3, unit: "binary" }),
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
