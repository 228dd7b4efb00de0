/** Addresses of the web, as they may be shown and kept. */

/** Without what may be secret in one: a name and a password, a query that holds a key. What is no address stays. */
export const withoutSecrets = (text: string): string => {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  return url === null ? text : `${url.origin}${url.pathname}`
}
