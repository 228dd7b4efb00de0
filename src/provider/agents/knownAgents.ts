/**
 * The agents we know: how each answers one question from stdin, and ends. They are asked as models are, so their own
 * tools are off where they can be, and what a project brings along for them (hooks, servers, settings) is not read:
 * the question may hold what others wrote, and nobody is there to approve.
 */
import type { Abilities } from "../../model/Agent.ts"
import type { Format } from "../../model/AgentPrompt.ts"

export interface Known {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** What stands before the name of a model; none where no model can be chosen. */
  readonly modelFlag: string | undefined
  readonly format: Format
  readonly abilities: Abilities
  /** What it is told by its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Variables that look like secrets and are its own; see `process/Environment`. */
  readonly needs: ReadonlyArray<string>
}

const cloud = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"]

const google = ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"]

/** Those that speak to whatever provider their user has a key of. */
const anyProvider = ["*_API_KEY", "*_AUTH_TOKEN", "*_OAUTH_TOKEN", "*_API_TOKEN", "HF_TOKEN", ...cloud, ...google]

/** They take tags for marks of their own (REQUIREMENTS T16). */
const common = { modelFlag: "--model", format: "markdown", env: {} } as const

export const known: Readonly<Record<string, Known>> = {
  // code.claude.com/docs/en/cli-reference; `--tools ""` leaves the tools of servers, hence --strict-mcp-config
  // (mur-common measured it at 2.1.273). In print mode a folder's hooks run though nobody trusts it, hence the sources.
  claude: {
    ...common,
    command: "claude",
    args: [
      "--print",
      "--output-format",
      "text",
      "--tools",
      "",
      "--strict-mcp-config",
      "--setting-sources",
      "user",
      "--no-session-persistence",
    ],
    abilities: { streams: false, readsFiles: false },
    needs: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_FOUNDRY_API_KEY",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "GOOGLE_APPLICATION_CREDENTIALS",
      ...cloud,
    ],
  },
  // openai/codex codex-rs/exec/src/cli.rs, developers.openai.com/codex/noninteractive: `-` reads stdin, the answer
  // alone is on stdout. Its tools cannot be put away; they run in a sandbox that neither writes nor has a network.
  codex: {
    ...common,
    command: "codex",
    args: ["exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--color", "never", "-"],
    abilities: { streams: false, readsFiles: true },
    needs: ["OPENAI_API_KEY", "CODEX_API_KEY", "AZURE_OPENAI_API_KEY"],
  },
  // google-gemini/gemini-cli docs/cli/cli-reference.md, docs/cli/headless.md: without a terminal it answers once, and
  // refuses what would need approval. `plan` would not hold: without a terminal it goes on and implements. A folder
  // that its user has not trusted it refuses altogether, and says how to trust it: that is not ours to do.
  gemini: {
    ...common,
    command: "gemini",
    args: ["--output-format", "text", "--approval-mode", "default"],
    abilities: { streams: true, readsFiles: true },
    needs: google,
  },
  // anomalyco/opencode packages/opencode/src/cli/cmd/run.ts, opencode.ai/v1/docs/permissions and /cli: what it does
  // besides answering goes to stderr. Its agent `plan` may still run commands, hence the permissions. The second
  // variable is in its source and not in its documentation.
  opencode: {
    ...common,
    command: "opencode",
    args: ["run"],
    abilities: { streams: true, readsFiles: false },
    env: { OPENCODE_PERMISSION: '{"*":"deny"}', OPENCODE_DISABLE_PROJECT_CONFIG: "true" },
    needs: anyProvider,
  },
  // earendil-works/pi packages/coding-agent/docs/cli.md
  pi: {
    ...common,
    command: "pi",
    args: ["--print", "--no-tools", "--no-session", "--no-approve"],
    abilities: { streams: false, readsFiles: false },
    needs: anyProvider,
  },
}
