/** A conversation, and the text beside it. */
import type { Event } from "../Events.ts"

export const onEvent = (_event: Event): void => {}
/** The connection is open again: whatever is shown may be old. */
export const refresh = (): void => {}

export const ConversationView = () => <main aria-label="Conversation" />
