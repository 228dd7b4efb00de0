/** The note for users about a program that answers in place of a model. */
import type { ModelId } from "../message/ModelId.ts"

/** Returns true if a program answers: models of the provider `cli` are agents. */
export const isAgent = ({ provider }: ModelId): boolean => provider === "cli"

/** Returns one line for the beginning of a conversation. */
export const cannotUseTools = ({ name }: ModelId): string =>
  `${name} is a program of its own and gets no tools of vibe: name files for it with @`
