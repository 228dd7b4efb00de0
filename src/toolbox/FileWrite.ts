/** `file_write`: the tool by which a model writes text files, in the folder of an `Output` only. */
export { fileWrite as make } from "./OutputTools.ts"
