/** The index: the project, its folders and symbols. */
import type { Event } from "../Events.ts"

export const onEvent = (_event: Event): void => {}
/** The connection is open again: whatever is shown may be old. */
export const refresh = (): void => {}

export const IndexView = () => <main aria-label="Index" />
