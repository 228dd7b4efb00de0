/**
 * The known agents, each with the command that answers one question from stdin and exits. They are used as models, so
 * their own tools are disabled if possible, and project configuration (hooks, servers, settings) is not read: the
 * prompt may contain untrusted text, and there is no interactive approval.
 */
import type { Abilities } from "../../model/AgentProgram.ts"
import type { Format } from "../../model/AgentPrompt.ts"
import * as Claude from "./events/claude.ts"
import * as Codex from "./events/codex.ts"
import type { Decoder } from "./events/Decoder.ts"
import * as Gemini from "./events/gemini.ts"
import * as OpenCode from "./events/opencode.ts"
import * as Pi from "./events/pi.ts"

export interface KnownAgent {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The flag before the model name. Undefined if the agent lets no model be chosen. */
  readonly modelFlag: string | undefined
  readonly format: Format
  readonly abilities: Abilities
  /** Decodes the JSON events that `args` ask for. */
  readonly events: () => Decoder
  /** Variables set in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Patterns of secret variables that it needs; see `process/Environment`. */
  readonly needs: ReadonlyArray<string>
}

const cloud = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"]

const google = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"]

/** The keys of agents that support any provider. */
const anyProvider = ["*_API_KEY", "*_AUTH_TOKEN", "*_OAUTH_TOKEN", "*_API_TOKEN", "HF_TOKEN", ...cloud, ...google]

/** Known agents receive Markdown, since they interpret XML tags as their own markup. */
const common = { modelFlag: "--model", format: "markdown", env: {} } as const

export const knownAgents: Readonly<Record<string, KnownAgent>> = {
  // code.claude.com/docs/en/cli-reference. `--tools ""` does not disable tools of servers, hence --strict-mcp-config
  // (observed at 2.1.273). In print mode the hooks of an untrusted folder run, hence --setting-sources.
  claude: {
    ...common,
    command: "claude",
    args: [
      "--print",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      "--tools",
      "",
      "--strict-mcp-config",
      "--setting-sources",
      "user",
      "--no-session-persistence",
    ],
    abilities: { streams: true, readsFiles: false },
    events: Claude.make,
    needs: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_FOUNDRY_API_KEY",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "GOOGLE_APPLICATION_CREDENTIALS",
      ...cloud,
    ],
  },
  // openai/codex codex-rs/exec/src/cli.rs, developers.openai.com/codex/noninteractive. `-` reads
  // stdin. Its tools cannot be disabled; they run in a sandbox without writing and network.
  codex: {
    ...common,
    command: "codex",
    args: ["exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--color", "never", "-"],
    abilities: { streams: false, readsFiles: true },
    events: Codex.make,
    needs: ["OPENAI_API_KEY", "CODEX_API_KEY", "AZURE_OPENAI_API_KEY"],
  },
  // google-gemini/gemini-cli docs/cli/cli-reference.md, docs/cli/headless.md. Without a terminal it answers once, and
  // refuses what needs approval. `plan` does not prevent changes without a terminal. It refuses an untrusted folder
  // and explains how to trust it, which is left to the user.
  gemini: {
    ...common,
    command: "gemini",
    args: ["--output-format", "stream-json", "--approval-mode", "default"],
    abilities: { streams: true, readsFiles: true },
    events: Gemini.make,
    needs: google,
  },
  // anomalyco/opencode packages/opencode/src/cli/cmd/run.ts, opencode.ai/v1/docs/permissions and
  // /cli. Its agent `plan` may still run commands, hence the permissions. The second variable is in its source, not in
  // its documentation.
  opencode: {
    ...common,
    command: "opencode",
    args: ["run", "--format", "json"],
    abilities: { streams: false, readsFiles: false },
    events: OpenCode.make,
    env: { OPENCODE_PERMISSION: '{"*":"deny"}', OPENCODE_DISABLE_PROJECT_CONFIG: "true" },
    needs: anyProvider,
  },
  // earendil-works/pi packages/coding-agent/docs/cli.md and json.md
  pi: {
    ...common,
    command: "pi",
    args: ["--print", "--mode", "json", "--no-tools", "--no-session", "--no-approve"],
    abilities: { streams: true, readsFiles: false },
    events: Pi.make,
    needs: anyProvider,
  },
}
