/** Reads the texts that the document had. */
import { request } from "../../Client.ts"
import { id } from "../store.ts"

export interface Version {
  /** The message that changed the document. */
  readonly message: string
  readonly by: "user" | "model"
  readonly at: number
  readonly text: string
}

/** Reads the versions, newest first. */
export const readVersions = () =>
  request<ReadonlyArray<Version>>("GET", `/conversations/${id.peek()}/document/versions`)
