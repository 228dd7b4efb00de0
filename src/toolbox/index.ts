/** `vibe-index/tools`: the tools that vibe gives to models, one by one and as registries. */

export * as SessionComplete from "../conversation/engines/SessionComplete.ts"
export * as WrittenFile from "../conversation/WrittenFile.ts"
export * as ChatTools from "./ChatTools.ts"
export * as CurrentDate from "./CurrentDate.ts"
export * as FileWrite from "./FileWrite.ts"
export * as IndexTools from "./IndexTools.ts"
export * as Introspect from "./Introspect.ts"
export * as SubmitPrd from "./SubmitPrd.ts"
