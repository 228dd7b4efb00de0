/**
 * The part of Google's SDK that is used here. It is a module of its own, so that the build can bundle it for the
 * program and the library alike: the bundle has 0.7 MB, while the package and its dependencies take 30 MB of an
 * installation.
 */
export { GoogleGenAI } from "@google/genai"
