/** `file_search`: a regular expression over the codebase, as an interviewer asks for it. */
import type { Workspace } from "../code/Workspace.ts"
import type * as Tool from "../tool/Tool.ts"
import * as SearchText from "./SearchText.ts"

/** `search_text` by another name. */
export const make = (codebase: Workspace): Tool.Tool => SearchText.named("file_search", codebase)
