/** The address of Ollama, parsed like the ollama program parses OLLAMA_HOST. Pure. */
import * as Either from "effect/Either"
import { Misconfigured } from "../../model/ModelError.ts"

/** Default address: this machine. */
export const local = "http://127.0.0.1:11434"

/**
 * Returns a URL without a trailing slash, from a host, a host and port, a port, or a URL. The default port of a URL is
 * that of its scheme. A wildcard address becomes the loopback address.
 */
export const parse = (host: string): Either.Either<string, Misconfigured> => {
  const written = host.replace(/^[\s"']+|[\s"']+$/g, "")
  if (written === "") return Either.right(local)
  if (/^ollama\.com$/i.test(written)) return Either.right("https://ollama.com")
  const [, scheme, place = "", path = ""] = /^(?:(https?):\/\/)?([^/]*)(.*)$/is.exec(written) ?? []
  const port = scheme === undefined && !hasPort.test(place) ? ":11434" : ""
  const url = `${scheme ?? "http"}://${toReachableHost(place)}${port}${path}`
  return URL.canParse(url) && !/[\s@?#]|:\/\/.*:\/\//.test(url)
    ? Either.right(url.replace(/\/+$/, ""))
    : Either.left(new Misconfigured({ message: "OLLAMA_HOST is no host, host:port or http URL" }))
}

/**
 * Returns whether other machines cannot read the traffic to an address, because it uses TLS or the loopback interface.
 */
export const isConfidential = (url: string): boolean =>
  /^https:/i.test(url) || /^http:\/\/(127\.[\d.]+|localhost|\[::1\])(?=[:/]|$)/i.test(url)

const hasPort = /(?:^|[^:]|\]):\d*$/

/** An empty or wildcard host becomes the loopback address; an IPv6 address gets brackets. */
const toReachableHost = (place: string): string => {
  if (/^(:\d*)?$/.test(place)) return `127.0.0.1${place}`
  if (/^[\da-f]*:[\da-f:.]*:[\da-f:.]*$/i.test(place)) return toReachableHost(`[${place}]`)
  return place.replace(/^0\.0\.0\.0(?=:|$)/, "127.0.0.1").replace(/^\[::\](?=:|$)/, "[::1]")
}
