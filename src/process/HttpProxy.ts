/** Finds the proxy of a request by the variables that curl and most other programs read. Pure. */
import { BlockList, isIP } from "node:net"
/** The variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface Proxy {
  /** Its address, which may hold a name and a password. */
  readonly url: URL
  /** The variable that names it. */
  readonly variable: string
}

/**
 * Returns the proxy for a URL: that of `http_proxy` or `https_proxy`, by the protocol of the URL, or else that of
 * `all_proxy`. Each name is also read in upper case, the lower case comes first, and an empty value counts as none.
 * Hosts of `no_proxy` are reached directly. As with curl, those are the only exceptions: a server on this machine is
 * none. Throws a `TypeError` if the variable holds no address of a proxy.
 */
export const proxyOf = (target: URL, environment: Variables): Proxy | undefined => {
  if (!/^https?:$/.test(target.protocol)) return undefined
  const found = read(environment, `${target.protocol.slice(0, -1)}_proxy`) ?? read(environment, "all_proxy")
  if (found === undefined || isExcepted(target, read(environment, "no_proxy")?.value ?? "")) return undefined
  const { value, variable } = found
  const url = URL.parse(value.includes("://") ? value : `http://${value}`)
  if (url === null || url.hostname === "") throw new TypeError(`${variable} holds no address of a proxy`)
  if (!protocols.test(url.protocol)) {
    throw new TypeError(
      `${variable} has a proxy of the kind ${url.protocol.slice(0, -1)}; there are http, https, socks5`,
    )
  }
  return { url, variable }
}

const protocols = /^(?:https?|socks5?h?):$/

const read = (environment: Variables, name: string) =>
  [name, name.toUpperCase()].flatMap((variable) => {
    const value = environment[variable]?.trim() ?? ""
    return value === "" ? [] : [{ variable, value }]
  })[0]

/**
 * Returns whether `no_proxy` names the host: itself, a domain above it, a network of addresses (`10.0.0.0/8`), or `*`
 * for all.
 */
const isExcepted = (target: URL, list: string): boolean => {
  const host = plainHost(target.hostname)
  const port = target.port || (target.protocol === "https:" ? "443" : "80")
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true
    if (entry.includes("/")) return isWithin(host, entry)
    const [, name = entry, only = port] = /^(\[.*\]|[^:]+):(\d+)$/.exec(entry) ?? []
    const domain = plainHost(name.replace(/^\*?\./, ""))
    if (domain === "" || only !== port) return false
    return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
  })
}

const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")

const isWithin = (host: string, network: string): boolean => {
  const [address = "", bits = ""] = network.split("/")
  const version = isIP(plainHost(address))
  if (version === 0 || version !== isIP(host) || !/^\d+$/.test(bits)) return false
  const family = version === 6 ? "ipv6" : "ipv4"
  if (Number(bits) > (version === 6 ? 128 : 32)) return false
  const addresses = new BlockList()
  addresses.addSubnet(plainHost(address), Number(bits), family)
  return addresses.check(host, family)
}
