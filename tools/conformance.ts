/**
 * The official conformance suite of the Model Context Protocol against the server of `vibe mcp`: its
 * scenarios of tools, in three revisions. The suite speaks HTTP, so that the same factory of servers is
 * mounted here over HTTP; it calls tools by name, which are here beside those of vibe.
 * `node tools/conformance.ts` prints a line for each scenario.
 */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { Readable } from "node:stream"
import { pathToFileURL } from "node:url"
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import { instructions } from "../src/cli/mcp/Offered.ts"
import * as ServedTools from "../src/mcp/ServedTools.ts"
import * as Server from "../src/mcp/Server.ts"
import * as Tool from "../src/tool/Tool.ts"
import { Failed } from "../src/tool/ToolError.ts"
import * as ToolRegistry from "../src/tool/ToolRegistry.ts"
import * as LookupTools from "../src/toolbox/LookupTools.ts"
import { attempt, inFolder, root } from "./process.ts"

/** By revision. What a revision has besides needs what a server of text tools does not have. */
const scenarios: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2025-06-18": ["server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error"],
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
    "http-header-validation",
  ],
}

/**
 * Scenarios of tools that are not run, and why:
 * - `tools-call-image`, `-audio`, `-embedded-resource` and `-mixed-content`: vibe's tools return text
 * - `tools-call-with-logging` and `-with-progress`: no call takes long enough to report on
 * - `tools-call-sampling`, `-elicitation` and `input-required-result-*`: no tool asks its client for anything
 */

/** Checks of scenarios that are run which want a tool that needs a capability of its client; ours need none. */
const untestable: ReadonlySet<string> = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
])

/** The tools that the suite calls. */
const fixtures: ReadonlyArray<Tool.Tool> = [
  ...[
    ["test_simple_text", Effect.succeed("This is a simple text response for testing.")] as const,
    ["test_error_handling", Tool.fail("This tool intentionally returns an error for testing")] as const,
    // Of these it looks at what else arrives: neither a question to the client nor a log message.
    ["test_streaming_elicitation", Effect.succeed("ok")] as const,
    ["test_logging_tool", Effect.succeed("ok")] as const,
  ].map(([name, result]) =>
    Tool.fromJsonSchema({
      name,
      description: "A fixture",
      parameters: { type: "object", properties: {} },
      readOnly: true,
      run: () => result,
    }),
  ),
  Tool.fromJsonSchema({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    parameters: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    readOnly: true,
    run: () => Effect.succeed("ok"),
  }),
]

const tools = ToolRegistry.make([
  ...LookupTools.make(Effect.fail(new Failed({ message: "there is no index here yet" }))),
  ...fixtures,
])

/** The server over HTTP, for as long as `use` runs. */
const served = async <A>(use: (url: string) => Promise<A>): Promise<A> => {
  const served = await Effect.runPromise(ServedTools.make({ name: "vibe", version: "0.0.0", instructions, tools }))
  const factory = Server.makeFactory(served)
  const handler = createMcpHandler(factory)
  const server = http.createServer(async (incoming, outgoing) => {
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
      ...(incoming.method === "POST" && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    })
    // The handler itself looks at neither: a page elsewhere must not reach it by DNS rebinding.
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    const response = refused ?? (await handler.fetch(request))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    for await (const chunk of response.body ?? []) outgoing.write(chunk)
    outgoing.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    return await use(`http://127.0.0.1:${port}/mcp`)
  } finally {
    server.closeAllConnections()
    server.close()
    await handler.close()
  }
}

const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js")

interface Outcome {
  readonly name: string
  readonly isFine: boolean
  readonly tally: string
  readonly output: string
}

const runScenario = (url: string, revision: string, scenario: string): Promise<Outcome> =>
  // The suite writes a folder `results` where it runs.
  inFolder({}, async (cwd) => {
    const args = [suite, "server", "--url", url, "--scenario", scenario, "--spec-version", revision]
    const { code, stderr, stdout } = await attempt(process.execPath, args, { cwd })
    const failures = Array.from(stdout.matchAll(/\[([\w-]+) *\] \S*FAILURE/g), ([, check = ""]) => check)
    const isFine = code === 0 || (failures.length > 0 && failures.every((check) => untestable.has(check)))
    const tally = /Passed: \d+\/\d+/.exec(stdout)?.[0] ?? "no result"
    return { name: `${revision} ${scenario}`, isFine, tally, output: `${stdout}${stderr}` }
  })

/** Throws with what failed. */
export const conformance = (report: (line: string) => void = () => {}): Promise<void> =>
  served(async (url) => {
    const failed: Array<Outcome> = []
    for (const [revision, names] of Object.entries(scenarios)) {
      for (const scenario of names) {
        const outcome = await runScenario(url, revision, scenario)
        report(`${outcome.isFine ? "ok  " : "FAIL"} ${outcome.name}: ${outcome.tally}`)
        if (!outcome.isFine) failed.push(outcome)
      }
    }
    if (failed.length > 0) {
      throw new Error(failed.map(({ name, output, tally }) => `${name}: ${tally}\n${output}`).join("\n"))
    }
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await conformance((line) => process.stdout.write(`${line}\n`))
}
