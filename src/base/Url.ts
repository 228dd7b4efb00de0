/** URLs: without secrets, the targets of redirects, and whether they lead to this machine. */

/**
 * Removes credentials, of any scheme (`ssh://me:password@host`), and from HTTP URLs the query, which may hold a key. A
 * text that is no URL stays as it is.
 */
export const withoutSecrets = (text: string): string => {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  return url === null ? text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1") : `${url.origin}${url.pathname}`
}

/** Returns whether the response to a fetch with `redirect: "manual"` is a redirect. Browsers hide its status. */
export const isRedirect = ({ status, type }: Response): boolean =>
  [301, 302, 303, 307, 308].includes(status) || type === "opaqueredirect"

/** Returns the target of a redirect in the response to a request for `url`; `undefined` if it has no valid HTTP URL. */
export const redirectTarget = (response: Response, url: string): URL | undefined => {
  const target = URL.parse(response.headers.get("location") ?? "about:blank", url)
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined
}

/** Returns whether a URL leads to this machine: `localhost` or a loopback address. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")
