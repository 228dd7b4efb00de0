/** Addresses of the web, as they may be shown and kept. */

/** Without what may be secret in one: a name and a password, a query that holds a key. What is no address stays. */
export const withoutSecrets = (text: string): string => {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  return url === null ? text : `${url.origin}${url.pathname}`
}

/** Whether a response, of a fetch with `redirect: "manual"`, redirects to another address. Browsers hide the status. */
export const isRedirect = ({ status, type }: Response): boolean =>
  [301, 302, 303, 307, 308].includes(status) || type === "opaqueredirect"

/** The address that the response to a request for `url` redirects to; `undefined` where it names none of the web. */
export const redirectTarget = (response: Response, url: string): URL | undefined => {
  const target = URL.parse(response.headers.get("location") ?? "about:blank", url)
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined
}
