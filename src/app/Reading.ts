/** What the commands run on that read an index. */
export { layer } from "./Code.ts"
