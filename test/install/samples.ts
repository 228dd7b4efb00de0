/**
 * Configuration files of agents as people have them: made for these tests, in the format of each agent's documentation.
 */

export interface Sample {
  readonly agent: string
  /** Below the project. */
  readonly project: string
  /** Below the home. */
  readonly user: string | undefined
  readonly text: string
}

export const samples: ReadonlyArray<Sample> = [
  {
    agent: "claude",
    project: ".mcp.json",
    user: ".claude.json",
    text: `{
  "numStartups": 41,
  "installMethod": "native",
  "autoUpdates": false,
  "tipsHistory": {
    "new-user-warmup": 3,
    "plan-mode-for-complex-tasks": 37
  },
  "mcpServers": {},
  "projects": {
    "/home/ada/engine": {
      "allowedTools": [],
      "history": [
        { "display": "why does the test of \\"mill\\" fail?", "pastedContents": {} }
      ],
      "mcpServers": {
        "tickets": { "type": "http", "url": "https://tickets.example/mcp" }
      },
      "hasTrustDialogAccepted": true
    }
  },
  "userID": "0f3c"
}
`,
  },
  {
    agent: "codex",
    project: ".codex/config.toml",
    user: ".codex/config.toml",
    text: `# How I like it
model = "gpt-5-codex"
model_reasoning_effort = "high"   # slow, but right
approval_policy = "on-request"
notify = ["notify-send", "Codex"]

[sandbox_workspace_write]
network_access = false

[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"

[mcp_servers.database]
command = "npx"
args = [
  "-y",
  "database-mcp", # [mcp_servers.vibe]
]
startup_timeout_sec = 20

[mcp_servers.database.env]
DATABASE_URL = "postgres://localhost/engine"

[projects."/home/ada/engine"]
trust_level = "trusted"
`,
  },
  {
    agent: "gemini",
    project: ".gemini/settings.json",
    user: ".gemini/settings.json",
    text: `{
    // as in the other editor
    "general": { "vimMode": true, "preferredEditor": "code" },
    "ui": { "theme": "GitHub" },
    "security": {
        "auth": { "selectedType": "gemini-api-key" }
    },
    "mcpServers": {
        "git": {
            "command": "uvx",
            "args": ["mcp-server-git"],
            "timeout": 15000,
            "trust": false
        }
    },
    "context": { "fileName": ["GEMINI.md", "AGENTS.md"] }
}
`,
  },
  {
    agent: "opencode",
    project: "opencode.json",
    user: ".config/opencode/opencode.json",
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude-sonnet-4-5",
  "autoupdate": true,
  "mcp": {
    "browser": {
      "type": "local",
      "command": ["npx", "-y", "browser-mcp"],
      "environment": { "HEADLESS": "1" },
      "enabled": false, // only when I need it
    },
    "search": {
      "type": "remote",
      "url": "https://search.example/mcp",
    },
  },
  "tools": { "browser_*": false },
}
`,
  },
  {
    agent: "cursor",
    project: ".cursor/mcp.json",
    user: ".cursor/mcp.json",
    text: `{
\t"mcpServers": {
\t\t"design": {
\t\t\t"url": "http://localhost:3845/mcp",
\t\t\t"headers": { "Authorization": "Bearer \${env:DESIGN_TOKEN}" }
\t\t},
\t\t"local": {
\t\t\t"command": "python",
\t\t\t"args": ["\${workspaceFolder}/tools/mcp_server.py"],
\t\t\t"env": { "API_KEY": "\${env:API_KEY}" }
\t\t}
\t}
}
`,
  },
  {
    agent: "vscode",
    project: ".vscode/mcp.json",
    user: undefined,
    text: `{
\t// asked for once, and kept by the editor
\t"inputs": [
\t\t{ "type": "promptString", "id": "key", "description": "Key", "password": true },
\t],
\t"servers": {
\t\t"search": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "search-mcp"],
\t\t\t"env": { "KEY": "\${input:key}" }
\t\t}, /* the last */
\t}
}
`,
  },
]
