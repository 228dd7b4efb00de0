/** Serves tools over a transport by the SDK, in all of its revisions. Loaded with the first message that needs it. */
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Server from "../Server.ts"
import type { ConnectSdk } from "./UsualMessages.ts"

export const connect: ConnectSdk = (tools, transport) => serveStdio(Server.makeFactory(tools), { transport })
