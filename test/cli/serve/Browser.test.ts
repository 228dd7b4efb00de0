import { assert, describe, it } from "@effect/vitest"
import { commandOf } from "../../../src/cli/serve/Browser.ts"

describe("the browser", () => {
  it("is opened by the program of the system, which gets the address as it is", () => {
    const url = "http://127.0.0.1:8000/?a=1&b=2"
    assert.deepStrictEqual(commandOf(url, {}, "linux"), { program: "xdg-open", args: [url] })
    assert.deepStrictEqual(commandOf(url, {}, "darwin"), { program: "open", args: [url] })
    assert.deepStrictEqual(commandOf(url, { SystemRoot: "D:\\Windows" }, "win32"), {
      program: "D:\\Windows\\System32\\rundll32.exe",
      args: ["url.dll,FileProtocolHandler", url],
    })
  })
})
