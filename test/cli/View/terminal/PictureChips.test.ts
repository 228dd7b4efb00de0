import { assert, describe, it } from "@effect/vitest"
import { PictureChips, pastedPath } from "../../../../src/cli/View/terminal/PictureChips.ts"
import * as Block from "../../../../src/message/Block.ts"

const one = Block.image("image/png", "b25l")
const other = Block.image("image/png", "b3RoZXI=")

describe("PictureChips", () => {
  it("finds the pictures of a text in their order there, and those alone", () => {
    const chips = new PictureChips()
    const first = chips.add(one, "a[1].png")
    const second = chips.add(other, undefined)
    assert.deepStrictEqual([first, second], ["[picture 1: a1.png]", "[picture 2]"])
    assert.deepStrictEqual(chips.in(`Is ${second} like ${first}?`), [other, one])
    assert.deepStrictEqual(chips.in(`What is ${second}?`), [other])
    assert.deepStrictEqual(chips.in("[picture 3]"), [])
    assert.strictEqual(chips.endOf(`see ${first}`), first)
    assert.isUndefined(chips.endOf(`${first} `))
  })
})

describe("pastedPath", () => {
  it.each<readonly [paste: string, path: string | undefined]>([
    ["/tmp/shot.png", "/tmp/shot.png"],
    ["/tmp/my shot.PNG\n", "/tmp/my shot.PNG"],
    ["/tmp/my\\ shot.jpeg ", "/tmp/my shot.jpeg"],
    ["'/tmp/my shot.webp'", "/tmp/my shot.webp"],
    ["file:///tmp/my%20shot.gif", "/tmp/my shot.gif"],
    ["~/shot.png", "/home/me/shot.png"],
    ["shot.png", "/here/shot.png"],
    ["look at shot.png", undefined],
    ["/tmp/a.png\n/tmp/b.png", undefined],
    ["/tmp/notes.txt", undefined],
    ["", undefined],
  ])("is the path of a picture that was dropped on the terminal: %j", (paste, expected) => {
    assert.strictEqual(pastedPath(paste, "/here", "/home/me", "linux"), expected)
  })

  it.each([["file://host/tmp/shot.png"], ["file:///tmp/a%2Fb.png"], ["file:///tmp/%ff.png"], ["file://[/a.png"]])(
    "is none for %s, which is no file of this machine",
    (paste) => {
      assert.isUndefined(pastedPath(paste, "/here", "/home/me", "linux"))
    },
  )

  it.each<readonly [paste: string, path: string | undefined]>([
    ["C:\\Users\\me\\shot.png", "C:\\Users\\me\\shot.png"],
    ["C:\\Users\\me\\my shot.png", "C:\\Users\\me\\my shot.png"],
    ['"C:\\Users\\me\\my shot.PNG"\r\n', "C:\\Users\\me\\my shot.PNG"],
    ["c:/Users/me/shot.png", "c:\\Users\\me\\shot.png"],
    ["file:///C:/Users/my%20shot.gif", "C:\\Users\\my shot.gif"],
    ["~\\shot.png", "C:\\home\\shot.png"],
    ["shots\\a.png", "C:\\here\\shots\\a.png"],
    ["look at shot.png", undefined],
    ["\\\\host\\share\\shot.png", undefined],
    ["//host/share/shot.png", undefined],
    ["file://host/share/shot.png", undefined],
  ])("is that of Windows, but of no other machine: %j", (paste, expected) => {
    assert.strictEqual(pastedPath(paste, "C:\\here", "C:\\home", "win32"), expected)
  })
})
