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

describe.runIf(process.platform !== "win32")("pastedPath", () => {
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
    assert.strictEqual(pastedPath(paste, "/here", "/home/me"), expected)
  })
})
