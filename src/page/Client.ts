/**
 * Sends requests to the server. The page imports the types of its contract but none of its code, which would be ten
 * times the page.
 */
import { signal } from "@preact/signals"
import type * as Conversations from "../server/api/Conversations.ts"
import type * as Forest from "../server/api/Forest.ts"
import type * as Index from "../server/api/Index.ts"
import type * as Wiki from "../server/api/Wiki.ts"

export type { Conversations, Forest, Index, Wiki }

/** The server has refused a request, with its reason as a sentence. */
export class Refused extends Error {
  readonly status: number
  /** The failure of the contract, if there is one. */
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(status === 401 ? reopen : (messageOf(body) ?? `The server refused (${status})`))
    this.status = status
    this.body = body
  }
}

/** The server cannot be reached. */
export class Unreachable extends Error {}

/**
 * Becomes `granted` when the server answers this page, and `refused` if it refuses the page from the beginning: then
 * there is nothing to show.
 */
export const access = signal<"unknown" | "granted" | "refused">("unknown")

/** True while events arrive. Without them the page does not know the answers in progress. */
export const isConnected = signal(true)

/** A message to the user: a server that was started again has another token. */
export const reopen = "This page has no access: open the address that vibe serve printed"

/** Returns the message of an error, which is the part that is shown. */
export const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const messageOf = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "message" in body && typeof body.message === "string"
    ? body.message
    : undefined

/** Sends a request; `A` is the success of the endpoint in the contract. */
export const request = async <A>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  payload?: unknown,
): Promise<A> => {
  const response = await reach(path, {
    method,
    ...(payload !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    }),
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) access.value = "granted"
  else if (response.status === 401 && access.value !== "granted") access.value = "refused"
  if (!response.ok) throw new Refused(response.status, body)
  // The server encodes its responses by the contract, so the type holds.
  return body as A
}

const reach = (path: string, options?: RequestInit): Promise<Response> =>
  fetch(`/api${path}`, options).catch((cause: unknown) => {
    throw new Unreachable("The server cannot be reached", { cause })
  })

/** Reads what is not JSON, such as a picture. */
export const requestBlob = async (path: string): Promise<Blob> => {
  const response = await reach(path)
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => undefined))
  return response.blob()
}

/** Returns the query of an address, without the values that are undefined. */
export const query = (values: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(values).flatMap(
    ([name, value]): ReadonlyArray<[string, string]> => (value === undefined ? [] : [[name, String(value)]]),
  )
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}
