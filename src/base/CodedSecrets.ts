/** Finds secrets that a text holds in another coding. Pure. */
import * as Secret from "./Secret.ts"

/**
 * Redacts secrets however a program that echoes them has coded them: in base64 (also within a longer text that was
 * coded), base64url or hexadecimal; percent-coded, or escaped as in JSON, JavaScript or HTML; in another case; and
 * split by spaces and line breaks, also by escaped ones. Takes time linear to the text, some .6 µs a character, and a
 * search for each secret and coding.
 */
export const redactCoded = (text: string, secrets: ReadonlyArray<string>): string => {
  const long = secrets.filter((secret) => secret.length >= Secret.MIN_SECRET_CHARS)
  if (long.length === 0) return text
  const decoded = decode(text)
  const base64 = { ...decoded, bytes: decoded.bytes.replaceAll("-", "+").replaceAll("_", "/") }
  const folded = { ...decoded, bytes: decoded.bytes.toLowerCase() }
  const hexadecimal = withoutSeparators(folded)
  const ranges = long.flatMap((secret) => {
    const bytes = Buffer.from(secret)
    return [
      // A secret may look coded itself.
      ...rangesOf(folded, decode(secret).bytes.toLowerCase()),
      ...rangesOf(folded, plainBytes(secret).toLowerCase()),
      ...rangesOf(hexadecimal, bytes.toString("hex")),
      ...[0, 1, 2].flatMap((offset) =>
        rangesOf(base64, base64At(bytes, offset)).map(([from, to]) => [from, endOfBase64(text, to)] as const),
      ),
    ]
  })
  return replaceRanges(text, ranges)
}

/** A text without its coding, as a string whose characters are bytes, with the place of each byte in the text. */
interface Decoded {
  readonly bytes: string
  /** The index in the text at which the coding of each byte begins. */
  readonly from: ReadonlyArray<number>
  /** The index in the text at which the coding of each byte ends. */
  readonly to: ReadonlyArray<number>
}

/** Matches a break or what stands for one character. No part of it is searched for twice from different places. */
const coded = new RegExp(
  [
    // A character of more than 16 bits is two escapes in JSON.
    String.raw`\\+u(?<high>d[89ab][\da-f]{2})\\+u(?<low>d[c-f][\da-f]{2})`,
    // A backslash that escapes nothing is dropped, too.
    String.raw`\\+(?:u\{0*(?<point>[\da-f]{1,6})\}|u(?<unit>[\da-f]{4})|x(?<byte>[\da-f]{2})|[nrt])?`,
    String.raw`%(?:25)*(?<percent>[\da-f]{2})`,
    String.raw`&(?:amp;)*(?:#0*(?<decimal>\d{1,7})|#x0*(?<hex>[\da-f]{1,6})|(?<name>[a-z]{2,6}));?`,
    "<br ?/?>",
    String.raw`\s+`,
  ].join("|"),
  "gi",
)

/** Drops breaks and backslashes, and decodes what is percent-coded or escaped. */
const decode = (text: string): Decoded => {
  const parts: Array<string> = []
  const from: Array<number> = []
  const to: Array<number> = []
  const add = (bytes: string, begin: number, end: number) => {
    parts.push(bytes)
    for (let count = bytes.length; count > 0; count--) {
      from.push(begin)
      to.push(end)
    }
  }
  const addPlain = (begin: number, end: number) => {
    for (let at = begin; at < end; ) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      add(bytesOf(character), at, at + character.length)
      at += character.length
    }
  }
  let end = 0
  for (const match of text.matchAll(coded)) {
    const bytes = bytesOfCoded(match.groups ?? {})
    if (bytes === undefined) continue
    addPlain(end, match.index)
    end = match.index + match[0].length
    add(bytes, match.index, end)
  }
  addPlain(end, text.length)
  return { bytes: parts.join(""), from, to }
}

/** Returns nothing for a break, and `undefined` for what is no coding. */
const bytesOfCoded = (groups: Readonly<Record<string, string | undefined>>): string | undefined => {
  const { byte, decimal, hex, high, low, name, percent, point, unit } = groups
  if (percent !== undefined) return withoutSpace(String.fromCharCode(Number.parseInt(percent, 16)))
  if (high !== undefined && low !== undefined) {
    return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
  }
  if (name !== undefined) return namedEntities[name.toLowerCase()]
  const code = decimal === undefined ? Number.parseInt(hex ?? point ?? unit ?? byte ?? "20", 16) : Number(decimal)
  return code > 0x10_ff_ff ? undefined : withoutSpace(bytesOf(String.fromCodePoint(code)))
}

/** A coded backslash is dropped like one that is not coded. */
const withoutSpace = (bytes: string): string => (/^[\t-\r \\]$/.test(bytes) ? "" : bytes)

const plainBytes = (secret: string): string => Buffer.from(secret.replaceAll(/[\s\\]/g, "")).toString("latin1")

const bytesOf = (character: string): string =>
  character < "\x80" ? character : Buffer.from(character).toString("latin1")

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  hyphen: "-",
  dash: "-",
  lowbar: "_",
  plus: "+",
  sol: "/",
  equals: "=",
  period: ".",
  colon: ":",
  nbsp: "",
}

/** Drops what programs write between the bytes of a hexadecimal number. */
const withoutSeparators = ({ bytes, from, to }: Decoded): Decoded => {
  const kept: Array<number> = []
  let end = 0
  const keepTo = (next: number) => {
    for (; end < next; end++) kept.push(end)
  }
  for (const { 0: separator, index } of bytes.matchAll(/[:,-]|0x/g)) {
    keepTo(index)
    end = index + separator.length
  }
  keepTo(bytes.length)
  return {
    bytes: kept.map((at) => bytes.charAt(at)).join(""),
    from: kept.map((at) => from[at] ?? 0),
    to: kept.map((at) => to[at] ?? 0),
  }
}

/**
 * The digits of base64 that are of the secret alone if it stands at this offset. A secret of 8 bytes has at least 9.
 */
const base64At = (bytes: Buffer, offset: number): string =>
  Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))

/** The last digit may have bits of the secret, too. The padding behind it distinguishes it from other text. */
const endOfBase64 = (text: string, to: number): number =>
  to + (/^[\w+/-]?={1,2}/.exec(text.slice(to, to + 3))?.[0].length ?? 0)

/** A part of a text, from its first character to before its end. */
type Range = readonly [from: number, to: number]

const rangesOf = ({ bytes, from, to }: Decoded, wanted: string): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  // A secret of nothing but spaces and backslashes has no bytes.
  if (wanted.length < Secret.MIN_SECRET_CHARS) return ranges
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) {
    ranges.push([from[at] ?? 0, to[at + wanted.length - 1] ?? 0])
  }
  return ranges
}

/** Puts one mark in the place of ranges that overlap. */
const replaceRanges = (text: string, ranges: ReadonlyArray<Range>): string => {
  let redacted = ""
  let end = 0
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from >= end) redacted += text.slice(end, from) + Secret.REDACTED
    end = Math.max(end, to)
  }
  return redacted + text.slice(end)
}
