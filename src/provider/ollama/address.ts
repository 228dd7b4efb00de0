/** Where Ollama is, read as the ollama program reads OLLAMA_HOST. Pure. */
import * as Either from "effect/Either"
import { Misconfigured } from "../../model/ModelError.ts"

/** Of a server on this machine that nobody has configured. */
export const local = "http://127.0.0.1:11434"

/**
 * The URL without a slash at its end: of a host, a host and port, a port alone, or a URL, whose port is its scheme's
 * where it has none. A server that listens on all addresses is asked on this machine's own.
 */
export const parse = (host: string): Either.Either<string, Misconfigured> => {
  const written = host.replace(/^[\s"']+|[\s"']+$/g, "")
  if (written === "") return Either.right(local)
  if (/^ollama\.com$/i.test(written)) return Either.right("https://ollama.com")
  const [, scheme, place = "", path = ""] = /^(?:(https?):\/\/)?([^/]*)(.*)$/is.exec(written) ?? []
  const port = scheme === undefined && !hasPort.test(place) ? ":11434" : ""
  const url = `${scheme ?? "http"}://${reachable(place)}${port}${path}`
  return URL.canParse(url) && !/[\s@?#]|:\/\/.*:\/\//.test(url)
    ? Either.right(url.replace(/\/+$/, ""))
    : Either.left(new Misconfigured({ message: "OLLAMA_HOST is no host, host:port or http URL" }))
}

/** Whether nobody else hears what is said to it. */
export const isPrivate = (url: string): boolean =>
  /^https:/i.test(url) || /^http:\/\/(127\.[\d.]+|localhost|\[::1\])(?=[:/]|$)/i.test(url)

const hasPort = /(?:^|[^:]|\]):\d*$/

/** A host that can be asked: none, or all of them, is this machine; an IPv6 address stands in brackets. */
const reachable = (place: string): string => {
  if (/^(:\d*)?$/.test(place)) return `127.0.0.1${place}`
  if (/^[\da-f]*:[\da-f:.]*:[\da-f:.]*$/i.test(place)) return reachable(`[${place}]`)
  return place.replace(/^0\.0\.0\.0(?=:|$)/, "127.0.0.1").replace(/^\[::\](?=:|$)/, "[::1]")
}
