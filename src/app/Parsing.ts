/** What makes outlines, with V8 told how to treat its grammars. */
import "./V8.ts"

export { layer } from "../code/Symbols/Threads.ts"
