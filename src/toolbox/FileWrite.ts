/** `file_write`: the tool by which a model writes text files, only in the folder of an `Output`. */
export { fileWrite as make } from "./OutputTools.ts"
