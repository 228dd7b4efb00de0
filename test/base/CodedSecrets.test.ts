import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CodedSecrets from "../../src/base/CodedSecrets.ts"
import { some } from "../thoroughness.ts"
import { inLinearTime, size } from "../utils/linearTime.ts"

describe("CodedSecrets.redactCoded", () => {
  const key = "sk-proj-Zq8Xv3L/mN0pQ+rT_9a.Bc:D5"
  const each = (code: (character: string) => string) => Array.from(key, code).join("")
  const hex = Buffer.from(key).toString("hex")
  const long = Buffer.from(`{"user":"me","key":"${key}"}`).toString("base64")
  const codeOf = (character: string) => character.charCodeAt(0)
  const forms = {
    plain: key,
    capitals: key.toUpperCase(),
    "small letters": key.toLowerCase(),
    base64: Buffer.from(key).toString("base64"),
    base64url: Buffer.from(key).toString("base64url"),
    "Basic credentials": Buffer.from(`:${key}`).toString("base64"),
    "base64 after two bytes": Buffer.from(`u:${key}x`).toString("base64"),
    "base64 of a longer text": long,
    "base64 in lines": long.replace(/.{16}/g, "$&\n"),
    "base64 in a URL": encodeURIComponent(Buffer.from(`?>${key}`).toString("base64")),
    hexadecimal: hex,
    "hexadecimal in capitals": hex.toUpperCase(),
    "bytes with colons": hex.replace(/..(?=.)/g, "$&:"),
    "bytes of C": hex.replace(/../g, "0x$&, "),
    "percent-coded where it must be": encodeURIComponent(key),
    "percent-coded": each((character) => `%${codeOf(character).toString(16)}`),
    "percent-coded twice": encodeURIComponent(encodeURIComponent(key)),
    "escaped hyphens": key.replaceAll("-", "\\u002d"),
    "escaped hyphens in capitals": key.replaceAll("-", "\\u002D"),
    "escaped as in JSON": each((character) => `\\u${codeOf(character).toString(16).padStart(4, "0")}`),
    "escaped as in JSON within JSON": each((character) => `\\\\u${codeOf(character).toString(16).padStart(4, "0")}`),
    "escaped as in JavaScript": each((character) => `\\x${codeOf(character).toString(16)}`),
    "escaped hyphens with the code in braces": key.replaceAll("-", "\\u{2d}"),
    "escaped slashes": key.replaceAll("/", "\\/"),
    "escaped as in HTML": each((character) => `&#${codeOf(character)};`),
    "escaped as in HTML, hexadecimal": each((character) => `&#x${codeOf(character).toString(16)};`),
    "two lines": `${key.slice(0, 15)}\n${key.slice(15)}`,
    "two lines of Windows": `${key.slice(0, 3)}\r\n${key.slice(3)}`,
    "a space": `${key.slice(0, 15)} ${key.slice(15)}`,
    "spaces everywhere": each((character) => `${character} `),
    "an escaped line break": `${key.slice(0, 20)}\\n${key.slice(20)}`,
    "a line break of HTML": `${key.slice(0, 20)}<br/>${key.slice(20)}`,
  }
  it.each(Object.entries(forms))("redacts a key: %s", (_, form) => {
    const text = CodedSecrets.redactCoded(`the key ${form} is wrong`, [key])
    assert.match(text, /^the key [\s\S]{0,40}\[key\]\S{0,6},? {1,2}is wrong$/)
    // No half of the key is left.
    for (const part of [key.slice(0, 8), key.slice(-8)]) assert.notInclude(text.toLowerCase(), part.toLowerCase())
  })

  it("leaves other words, and secrets that are too short, as they are", () => {
    const text = `sk-proj is the beginning of a key, ${key.slice(0, -1)} most of one, and none is ${"ab".repeat(20)}`
    assert.strictEqual(CodedSecrets.redactCoded(text, [key, "is", "none"]), text)
  })

  it("takes characters of a pattern, and those of several bytes, as they are", () => {
    for (const secret of [
      "a.b*c(d)[e]{f}",
      "pässwörd-😀-x",
      "back\\slash\\es$^",
      "two words and more",
      "à la carte 1",
      "100%41 of it",
      "a&amp;b&ampc",
    ]) {
      const units = Array.from({ length: secret.length }, (_, at) =>
        secret.charCodeAt(at).toString(16).padStart(4, "0"),
      )
      const escaped = units.map((unit) => `\\u${unit}`).join("")
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64"), escaped]) {
        assert.match(CodedSecrets.redactCoded(`<${form}>`, [secret]), /^<\[key\]>$/, form)
      }
    }
    assert.strictEqual(CodedSecrets.redactCoded("aXbYYc(d)[e]{f}", ["a.b*c(d)[e]{f}"]), "aXbYYc(d)[e]{f}")
  })

  it.effect("takes linear time for a long text that almost has the key or its coding, again and again", () => {
    const secrets = [key, "tttttttttttt1", "nnnnnnnnnnnn%"]
    const almost = [
      `${key.slice(0, -1)}${" ".repeat(40)}`,
      "\\",
      "\\t",
      "\\n",
      "%25",
      "%",
      "&amp;",
      "&#0",
      "\\u{0",
      "0x",
      "t ",
    ]
    return inLinearTime(
      Effect.sync(() => {
        for (const part of some(almost, 0, 3)) {
          const text = part.repeat(Math.ceil(size(400_000) / part.length))
          assert.strictEqual(CodedSecrets.redactCoded(text, secrets), text)
        }
      }),
    )
  })
})
