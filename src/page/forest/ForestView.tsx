/** The forest as an outline. */
import type { Event } from "../Events.ts"

export const onEvent = (_event: Event): void => {}
/** The connection is open again: whatever is shown may be old. */
export const refresh = (): void => {}

export const ForestView = () => <main aria-label="Forest" />
