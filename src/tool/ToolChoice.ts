/**
 * Which tools a model may call in its next turn: any of those that are offered, none of them, or one of them, which it
 * has to call. A wire that cannot say the last offers that one alone.
 */
export type ToolChoice = "auto" | "none" | { readonly tool: string }
