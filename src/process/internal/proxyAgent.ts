/**
 * The part of undici, the HTTP client of Node.js, that vibe uses. It is a module of its own, which the build bundles
 * for the program and the library alike. It is loaded with the first request that goes through a proxy.
 */
export { ProxyAgent } from "undici"
