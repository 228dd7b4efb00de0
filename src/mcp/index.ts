/**
 * `vibe-index/mcp`: tools of other programs by the Model Context Protocol. It needs the optional peer
 * `@modelcontextprotocol/client`.
 */
export type { Environment } from "../process/Environment.ts"
export * as ToolServers from "../tool/ToolServers.ts"
export * as Client from "./Client.ts"
export * as ToolServerLayers from "./ToolServerLayers.ts"
