import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as Picture from "../../../src/message/Picture.ts"
import {
  type Attached,
  type Attachment,
  addAll,
  isPicture,
  join,
  MAX_FILE,
  readFile,
  split,
  withoutArrived,
} from "../../../src/page/conversation/attachments.ts"

const names = fc.stringMatching(/^[\w./-]{1,20}$/)
/** Texts with fences, which are what could end a block too early. */
const texts = fc
  .array(fc.oneof(fc.string(), fc.constantFrom("```", "````ts", "File a.ts:", "", "  ```")), { minLength: 1 })
  .map((lines) => lines.join("\n"))
const files: fc.Arbitrary<ReadonlyArray<Attached>> = fc.array(fc.record({ name: names, text: texts }), { maxLength: 4 })

describe("attached files", () => {
  it("are found again in the message that they were put into, whatever is in them", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("File ")),
        files,
        (text, attached) => {
          const found = split(join(text, attached))
          assert.deepStrictEqual(found.files, attached)
          if (text.trim() !== "") assert.strictEqual(found.text, text)
        },
      ),
    )
  })

  it("are not seen in a message that only speaks of them", () => {
    for (const text of ["File a.ts:\nis missing", "see\n\nFile a.ts:\n```ts\nx\n```\n\nand go on", "", "```\nx\n```"]) {
      assert.deepStrictEqual(split(text), { text, files: [] })
    }
  })

  it("are pictures by their first bytes, whatever they are called, and others are refused with the formats", async () => {
    const read = await readFile(new File(["GIF89a and more"], "shot.txt", { type: "text/plain" }))
    if (typeof read === "string" || !isPicture(read)) assert.fail()
    assert.deepStrictEqual([read.name, read.picture.type, read.picture.size], ["shot.txt", "image/gif", 15])
    const svg = new File(["<svg/>\n"], "a.svg", { type: "image/svg+xml" })
    assert.deepStrictEqual(await readFile(svg), { name: "a.svg", text: "<svg/>" })
    assert.strictEqual(
      await readFile(new File(["x"], "a.heic", { type: "image/heic" })),
      "a.heic is no picture that models take; PNG, JPEG, GIF and WebP are",
    )
    const large = new File([new Uint8Array(Picture.MAX_BYTES + 1)], "a.png", { type: "image/png" })
    assert.strictEqual(
      await readFile(large),
      "a.png: the pictures of a message have at most 20 MB together, and this one has 20.1 MB",
    )
  })

  it("have names of their own, and are not more than a message may have", () => {
    const picture = (id: string, size = 1): Attachment => ({
      name: "image.png",
      id,
      picture: new Blob([new Uint8Array(size)]),
    })
    const notes = { name: "notes.md", text: "old" }
    const { all, refused } = addAll([notes], [picture("a"), picture("b"), { ...notes, text: "new" }])
    assert.deepStrictEqual(
      all.map(({ name }) => name),
      ["image.png", "image 2.png", "notes.md"],
    )
    assert.deepStrictEqual(refused, [])
    const many = addAll(
      [],
      Array.from({ length: 21 }, (_, index) => picture(String(index))),
    )
    assert.strictEqual(many.all.length, 20)
    assert.deepStrictEqual(many.refused, ["image.png: a message has at most 20 pictures, and these are 21"])
    const half = Picture.MAX_BYTES / 2
    assert.strictEqual(addAll([picture("a", half)], [picture("b", half)]).all.length, 2)
    assert.strictEqual(addAll([picture("a", half)], [picture("b", half + 1)]).refused.length, 1)
  })

  it("stay in the box if they are not part of a message that has arrived", () => {
    const picture = (id: string): Attachment => ({ name: `${id}.png`, id, picture: new Blob([]) })
    const notes = { name: "notes.md", text: "as sent" }
    const later = { name: "notes.md", text: "changed since" }
    const arrived = { text: join("Look", [notes]), pictures: ["a"] }
    assert.deepStrictEqual(withoutArrived([notes, picture("a")], arrived), [])
    const left = [later, picture("b")]
    assert.deepStrictEqual(withoutArrived([picture("a"), ...left], arrived), left)
  })

  it("are text: others are refused with their name and the reason", async () => {
    assert.deepStrictEqual(await readFile(new File(["a\r\nb\n"], "a.txt")), { name: "a.txt", text: "a\nb" })
    assert.strictEqual(await readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], "a.bin")), "a.bin is no text")
    assert.match(String(await readFile(new File(["x".repeat(MAX_FILE + 1)], "a.log"))), /^a\.log has 400 kB/)
  })
})
