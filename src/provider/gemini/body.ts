/**
 * The body of a request, written past the SDK: a run sends its whole history each time, and the SDK would copy it part
 * by part and write all of it anew.
 */
import type { Content } from "@google/genai"
import type { JsonObject } from "../../message/Json.ts"

/** `body` as the SDK wrote it, JSON of an object, with `contents` in place of its own. */
export const withContents = (body: string, contents: ReadonlyArray<Content>): Uint8Array => {
  const sdk: JsonObject = JSON.parse(body)
  const rest = JSON.stringify({ ...sdk, contents: undefined })
  const [first = nothing, ...others] = contents.map(written)
  return Buffer.concat([
    Buffer.from('{"contents":['),
    first.subarray(1),
    ...others,
    Buffer.from(rest === "{}" ? "]}" : `],${rest.slice(1)}`),
  ])
}

/** A comma and the content, made once: the next request holds it again. */
const written = (content: Content): Buffer => {
  const known = texts.get(content)
  if (known !== undefined) return known
  const text = Buffer.from(`,${JSON.stringify(content)}`)
  texts.set(content, text)
  return text
}

const texts = new WeakMap<Content, Buffer>()

const nothing = Buffer.alloc(0)
