import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { type Attached, join, MAX_FILE, readFile, split } from "../../../src/page/conversation/attachments.ts"

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

  it("are text: others are refused with their name and the reason", async () => {
    assert.deepStrictEqual(await readFile(new File(["a\r\nb\n"], "a.txt")), { name: "a.txt", text: "a\nb" })
    assert.strictEqual(await readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], "a.bin")), "a.bin is no text")
    assert.match(String(await readFile(new File(["x"], "a.png", { type: "image/png" }))), /^a\.png is a picture/)
    assert.match(String(await readFile(new File(["x".repeat(MAX_FILE + 1)], "a.log"))), /^a\.log has 400 kB/)
  })
})
