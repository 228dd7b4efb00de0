/** What the commands run on that read an index. */
import "./V8.ts"

export { layer } from "./Code.ts"
