/** `vibe-index/tools`: the tools that vibe gives to models, one by one and as registries. */

import type { Output } from "../code/Output.ts"
import type { Tool } from "../tool/Tool.ts"
import { fileWrite } from "./OutputTools.ts"

export * as SessionComplete from "../conversation/engines/SessionComplete.ts"
export * as WrittenFile from "../conversation/WrittenFile.ts"
export * as ChatTools from "./ChatTools.ts"
export * as CurrentDate from "./CurrentDate.ts"
export * as IndexTools from "./IndexTools.ts"
export * as Introspect from "./Introspect.ts"
export * as SubmitPrd from "./SubmitPrd.ts"

/** `file_write`: the tool by which a model writes text files, only in the folder of an `Output`. */
export const FileWrite: { readonly make: (output: Output) => Tool } = { make: fileWrite }
