/**
 * What is used of Google's SDK. A module of its own, which the build bundles for the program and the library alike: 0.7 MB,
 * where the package with its dependencies takes 30 MB of an installation.
 */
export { GoogleGenAI } from "@google/genai"
