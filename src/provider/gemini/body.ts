/**
 * Serializes the body of a request. A run sends its whole history with each request, and the SDK would copy and
 * serialize all of it again.
 */
import type { Content } from "@google/genai"
import type { JsonObject } from "../../base/Json.ts"

/** Returns the body that the SDK wrote, a JSON object, with its `contents` replaced. */
export const withContents = (body: string, contents: ReadonlyArray<Content>): Uint8Array => {
  const sdk: JsonObject = JSON.parse(body)
  const rest = JSON.stringify({ ...sdk, contents: undefined })
  const [first = empty, ...others] = contents.map(toBytes)
  return Buffer.concat([
    Buffer.from('{"contents":['),
    first.subarray(1),
    ...others,
    Buffer.from(rest === "{}" ? "]}" : `],${rest.slice(1)}`),
  ])
}

/** Returns a comma and the content as JSON. It is cached, since the next request contains it again. */
const toBytes = (content: Content): Buffer => {
  const known = cache.get(content)
  if (known !== undefined) return known
  const text = Buffer.from(`,${JSON.stringify(content)}`)
  cache.set(content, text)
  return text
}

const cache = new WeakMap<Content, Buffer>()

const empty = Buffer.alloc(0)
