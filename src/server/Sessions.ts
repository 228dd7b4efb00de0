/**
 * Finds the conversation of a browser, which is the one that it has visited last. A cookie names its session, which is
 * made at the first request. The cookie only selects a conversation and gives no access: requests need the token too.
 */
import { randomBytes } from "node:crypto"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../forest/Forest.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as DraftStore from "./DraftStore.ts"
import { LiveConversations } from "./LiveConversations.ts"
import { Served } from "./Served.ts"

/**
 * Returns the name of the cookie. Cookies ignore the port, so two servers with one name would overwrite each other's.
 */
const cookieName = (port: number): string => `vibe_session_${port}`

/** Matches an id: 16 random bytes in base64url. */
const ID = /^[\w-]{22}$/

interface Session {
  readonly id: string
  /** Sets the cookie if the request had none that is known here. */
  readonly setCookie: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
}

/**
 * Returns the session of a request, or a new one if its cookie is missing, malformed or of another forest. It writes
 * nothing.
 */
const of = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, port: number) {
  const forest = yield* Forest.Forest
  const drafts = yield* DraftStore.DraftStore
  const { folder } = yield* Served
  const given = request.cookies[cookieName(port)] ?? ""
  const isKnown =
    ID.test(given) &&
    ((yield* forest.roots(`session:${given}`)).length > 0 || Option.isSome(yield* drafts.visited(given, folder)))
  const session: Session = {
    id: isKnown ? given : randomBytes(16).toString("base64url"),
    setCookie: (response) =>
      isKnown
        ? response
        : HttpServerResponse.unsafeSetCookie(response, cookieName(port), session.id, {
            httpOnly: true,
            sameSite: "strict",
            path: "/",
            maxAge: "400 days",
          }),
  }
  return session
})

/** Returns the session of a request with its conversation, which is made if there is none. */
export const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, port: number) {
  const conversations = yield* LiveConversations
  const session = yield* of(request, port)
  return { ...session, conversation: yield* conversations.session(session.id) }
})

/**
 * Records that the browser of a request has opened a conversation, or written in it. No conversation is made for a
 * session that has none.
 */
export const visit = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  port: number,
  conversation: NodeId,
) {
  const conversations = yield* LiveConversations
  const drafts = yield* DraftStore.DraftStore
  const { folder } = yield* Served
  const { id } = yield* conversations.get(conversation)
  const session = yield* of(request, port)
  yield* drafts.visit(session.id, folder, id)
  return { ...session, conversation: id }
})
