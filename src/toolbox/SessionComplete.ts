/** `session_complete`: the model ends the session. `ConversationEngine` offers it by itself. */
export { make, NAME } from "../conversation/engines/SessionComplete.ts"
