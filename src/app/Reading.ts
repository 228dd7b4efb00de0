/** What the commands run on that read an index. */
import "./Grammars.ts"

export { layer } from "./Code.ts"
