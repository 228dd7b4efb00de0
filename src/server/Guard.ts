/**
 * Decides which requests the server answers. It listens on 127.0.0.1, which keeps other machines out, but not the pages
 * that the browsers of this machine have open: they may send requests here, and read the answers by a name that they
 * have pointed at 127.0.0.1.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { isIPv4, isIPv6 } from "node:net"
import * as Headers from "@effect/platform/Headers"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"

export interface Options {
  /** The host names in lower case that requests may use besides `localhost` and IP addresses. */
  readonly names: ReadonlyArray<string>
  readonly port: number
  readonly token: string
  /**
   * Returns true if a code is valid in place of the token, which it is once. A browser that the program opens itself
   * gets one.
   */
  readonly redeem: (code: string) => Effect.Effect<boolean>
}

/** Cookies know no ports: two servers would overwrite each other's. */
const cookieName = (port: number): string => `vibe_${port}`

/**
 * Refuses a foreign `Host`, any `Origin` that differs from it (in the port too: pages of other servers of this machine
 * are of the same site), requests of other sites, and requests without the token. The token comes with the address that
 * was printed, or in exchange for a code that is valid once, and moves to a cookie.
 */
export const guard =
  ({ names, port, redeem, token }: Options) =>
  <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { headers } = request
      const { host = "", origin } = headers
      const name = nameOf(host)
      // The port may not be a number, for example.
      if (!URL.canParse(`http://${host}/`)) return refuse("The request names no host that can be served")
      if (!isOwn(name, names)) {
        return refuse(`The name '${name}' is not served: 'vibe serve --allow-host NAME' allows one`)
      }
      // The origin has https if another server encrypts the connection.
      if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
        return refuse("Requests of this origin are not answered")
      }
      const [path = "", query = ""] = request.url.split(/[?#]/)
      const parameters = new URLSearchParams(query)
      const given = parameters.get("token")
      const code = parameters.get("code")
      if (path === "/" && given !== null) {
        if (isSame(given, token)) return withCookie(port, token)
        return unknownAddress("This address has another token. Open the address that vibe serve printed last.")
      }
      if (path === "/" && code !== null) {
        // A browser that has the cookie already may open it again, and one that only looks uses nothing up.
        const isValid = hasToken(request, { port, token }) || (request.method === "GET" && (yield* redeem(code)))
        if (isValid) return withCookie(port, token)
        return unknownAddress(
          "This address was valid once, for ten minutes. Open the address that vibe serve printed, or start it with --open again.",
        )
      }
      if (isPublic(path)) return withSecurityHeaders(yield* app)
      const site = headers["sec-fetch-site"]
      if (site !== undefined && site !== "same-origin") return refuse("Requests of other sites are not answered")
      if (!hasToken(request, { port, token })) {
        return withSecurityHeaders(
          HttpServerResponse.unsafeJson(
            { message: "Open the address that vibe serve printed, or send its token: Authorization: Bearer TOKEN." },
            { status: 401 },
          ),
        )
      }
      return withSecurityHeaders(yield* app)
    })

/** Moves the token to a cookie, so that it leaves the address bar and the history immediately. */
const withCookie = (port: number, token: string) =>
  HttpServerResponse.empty({ status: 303, headers: Headers.fromInput({ location: "/" }) }).pipe(
    HttpServerResponse.unsafeSetCookie(cookieName(port), token, { httpOnly: true, sameSite: "strict", path: "/" }),
  )

/** The user reads this, after opening an address of an earlier start or one that was used up. */
const unknownAddress = (why: string) => withSecurityHeaders(HttpServerResponse.text(`${why}\n`, { status: 403 }))

/** Returns the host without the port, which is a different one if it is forwarded or published. */
const nameOf = (host: string): string => host.replace(/:\d+$/, "").slice(0, MAX_NAME).toLowerCase()

/** The most characters of a name in the DNS. */
const MAX_NAME = 253

/** Accepts any address: another site can point a name of its own at this machine, but no address. */
const isOwn = (name: string, names: ReadonlyArray<string>): boolean =>
  name === "localhost" || isAddress(name) || names.includes(name)

/**
 * Returns true for an address as a URL has it: IPv6 in brackets and without a zone, which has a meaning only on the
 * machine that sends it.
 */
const isAddress = (name: string): boolean => isIPv4(name) || (/^\[[^%]*\]$/.test(name) && isIPv6(name.slice(1, -1)))

/**
 * Returns true if a path, as it was sent, can only be a file of the page, which holds no secret. Any other path needs
 * the token: the router also takes `/%61pi/`, `/API/` and `//api/` for `/api/`.
 */
const isPublic = (path: string): boolean => /^\/[\w.-]*$/.test(path) && path.toLowerCase() !== "/mcp"

/**
 * Returns true if a request has the token, in its cookie or in the header that scripts send: `Authorization: Bearer
 * TOKEN`.
 */
const hasToken = (
  { cookies, headers }: HttpServerRequest.HttpServerRequest,
  { port, token }: Pick<Options, "port" | "token">,
): boolean => isSame(bearerOf(headers) ?? cookies[cookieName(port)] ?? "", token)

/** Returns true if a request has the token in the `Authorization` header; a cookie does not count. */
export const hasBearer = ({ headers }: HttpServerRequest.HttpServerRequest, token: string): boolean =>
  isSame(bearerOf(headers) ?? "", token)

const bearerOf = ({ authorization = "" }: Headers.Headers) => /^Bearer (.+)$/i.exec(authorization)?.[1]

const withSecurityHeaders = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeaders(response, {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  })

const refuse = (why: string) =>
  withSecurityHeaders(HttpServerResponse.unsafeJson({ message: `${why}.` }, { status: 403 }))

/** Compares in a time that does not reveal how much of the token was right. */
const isSame = (given: string, token: string) => timingSafeEqual(digest(given), digest(token))

const digest = (text: string) => createHash("sha256").update(text).digest()
