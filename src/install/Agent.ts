/**
 * The coding agents that `vibe install` knows: the places of their servers, skills and notes, and the form of an entry.
 * Another entry of `agents` adds an agent. docs/install.md names the documentation that each one was taken from.
 */

/** The words that start a program: the program, then its arguments. */
export type Words = readonly [command: string, ...args: ReadonlyArray<string>]

/** A value of an entry. */
export type Value = boolean | string | ReadonlyArray<string>

/** An entry: its fields, in the order in which they are written. */
export type Entry = Readonly<Record<string, Value>>

/** A folder of the user: the value of the variable if it is set, else a folder in the home. */
interface UserFolder {
  readonly variable?: string | undefined
  /** Relative to the home. */
  readonly inHome: string
}

/** The places of files: below the project, or below a folder of the user. */
export interface Places {
  /** The paths relative to the project. The first that exists is used, else the first. */
  readonly project: readonly [string, ...ReadonlyArray<string>]
  /** The user's files; undefined if the agent has none that serve here. */
  readonly user: UserPlaces | undefined
}

interface UserPlaces {
  readonly folder: UserFolder
  /** The paths relative to that folder. The first that exists is used, else the first. */
  readonly files: readonly [string, ...ReadonlyArray<string>]
}

export interface Agent {
  readonly name: string
  readonly title: string
  /** `json` without comments, since the agent reads none; `jsonc` with comments and trailing commas. */
  readonly format: "json" | "jsonc" | "toml"
  readonly config: Places
  /** The key of the servers, from the top of the file. */
  readonly servers: readonly [string, ...ReadonlyArray<string>]
  /** Another key of the servers. It is used if the file already has it with an object that is not itself a server. */
  readonly otherServers?: readonly [string, ...ReadonlyArray<string>] | undefined
  readonly entry: (words: Words) => Entry
  /** True if the agent cannot start a batch file in Windows, where npx is one. */
  readonly needsShell?: boolean | undefined
  /** True if the agent starts servers in the home, so that npx finds no project. */
  readonly startsInHome?: boolean | undefined
  /** The folder of skills. */
  readonly skills: Places
  /** The file of notes that the agent reads at each start, in the project. */
  readonly notes: string
  /** The next step for the user, or a fact to know, after the entry is there. */
  readonly next: { readonly project: string; readonly user?: string | undefined }
}

const home = (inHome: string): UserFolder => ({ inHome })

const commandAndArgs = ([command, ...args]: Words): Entry => ({ command, args })

/** The variable of Cursor for the open folder: servers in the user's own file start in the home folder. */
const WORKSPACE_FOLDER = `$\{workspaceFolder}`

const configFolder: UserFolder = { variable: "XDG_CONFIG_HOME", inHome: ".config" }

const claudeFolder = (inHome: string): UserFolder => ({ variable: "CLAUDE_CONFIG_DIR", inHome })

export const agents: ReadonlyArray<Agent> = [
  {
    name: "claude",
    title: "Claude Code",
    format: "json",
    config: { project: [".mcp.json"], user: { folder: claudeFolder("."), files: [".claude.json"] } },
    servers: ["mcpServers"],
    entry: commandAndArgs,
    needsShell: true,
    skills: { project: [".claude/skills"], user: { folder: claudeFolder(".claude"), files: ["skills"] } },
    notes: "CLAUDE.md",
    next: {
      project: "Start 'claude' in the project and approve the server when it asks; '/mcp' shows it",
      user: "Start 'claude' again; '/mcp' shows the server",
    },
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    config: {
      project: [".codex/config.toml"],
      user: { folder: { variable: "CODEX_HOME", inHome: ".codex" }, files: ["config.toml"] },
    },
    servers: ["mcp_servers"],
    entry: commandAndArgs,
    skills: { project: [".agents/skills"], user: { folder: home(".agents"), files: ["skills"] } },
    notes: "AGENTS.md",
    next: {
      project: "Codex reads this file only in a project that you trust; '/mcp' shows the server",
      user: "Start 'codex' again; '/mcp' shows the server",
    },
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    format: "jsonc",
    config: { project: [".gemini/settings.json"], user: { folder: home(".gemini"), files: ["settings.json"] } },
    servers: ["mcpServers"],
    entry: commandAndArgs,
    skills: { project: [".gemini/skills"], user: { folder: home(".gemini"), files: ["skills"] } },
    notes: "GEMINI.md",
    next: {
      project: "Gemini CLI starts servers only in a folder that you trust; '/mcp' shows the server",
      user: "Gemini CLI starts servers only in a folder that you trust; '/mcp' shows the server",
    },
  },
  {
    name: "opencode",
    title: "OpenCode",
    format: "jsonc",
    config: {
      project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
      user: { folder: configFolder, files: ["opencode/opencode.json", "opencode/opencode.jsonc"] },
    },
    // This is the key of version 1, which version 2 reads, too. If the file has the key of version 2, that is used.
    servers: ["mcp"],
    otherServers: ["mcp", "servers"],
    entry: (words) => ({ type: "local", command: words }),
    skills: { project: [".opencode/skills"], user: { folder: configFolder, files: ["opencode/skills"] } },
    notes: "AGENTS.md",
    next: {
      project: "Start 'opencode' again; 'opencode mcp list' shows the server",
      user: "Start 'opencode' again; 'opencode mcp list' shows the server",
    },
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "jsonc",
    config: { project: [".cursor/mcp.json"], user: { folder: home(".cursor"), files: ["mcp.json"] } },
    servers: ["mcpServers"],
    entry: (words) => commandAndArgs([...words, "--root", WORKSPACE_FOLDER]),
    startsInHome: true,
    skills: { project: [".cursor/skills"], user: { folder: home(".cursor"), files: ["skills"] } },
    notes: "AGENTS.md",
    next: {
      project: "Turn the server on in Cursor's settings, under MCP",
      user: "Turn the server on in Cursor's settings, under MCP",
    },
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "jsonc",
    // Servers of the user's own file start in the home, and its variables are not replaced, so they would find no
    // project.
    config: { project: [".vscode/mcp.json"], user: undefined },
    servers: ["servers"],
    entry: (words) => ({ type: "stdio", ...commandAndArgs(words) }),
    skills: { project: [".github/skills"], user: { folder: home(".copilot"), files: ["skills"] } },
    notes: "AGENTS.md",
    next: { project: "Run 'MCP: List Servers' in VS Code to start the server" },
  },
]

export const names: ReadonlyArray<string> = agents.map(({ name }) => name)

export const find = (name: string): Agent | undefined => agents.find((agent) => agent.name === name)

/** Returns the words by which an entry of any agent starts a program: those of `command` and `args`. */
export const wordsOf = (entry: unknown): ReadonlyArray<string> => {
  if (typeof entry !== "object" || entry === null) return []
  const of = (key: string): unknown => (Object.hasOwn(entry, key) ? Reflect.get(entry, key) : undefined)
  return [of("command"), of("args")].flat().filter((word) => typeof word === "string")
}

/** Returns whether an entry starts vibe's server, in any way: by `vibe mcp`, by `npx`, or by the path of its script. */
export const isOwn = (entry: unknown): boolean => {
  const words = wordsOf(entry)
  return words.some((word, place) => word === "mcp" && place > 0 && namesVibe(words[place - 1] ?? ""))
}

/**
 * Returns whether a word names vibe: `vibe`, `vibe-index@0.3.0`, `/opt/vibe-index/dist/bin.js`, `C:\vibe\vibe.cmd`,
 * `/opt/vibe-linux-x64`.
 */
const namesVibe = (word: string): boolean =>
  /(?:^|[\\/])(?:vibe|vibe-index|vibe-(?:linux|darwin|win32)-(?:x64|arm64))(?:@[\w.^~-]+)?(?:\.(?:cmd|exe|ps1|js))?$/i.test(
    word,
  ) ||
  /(?:^|[\\/])vibe(?:-index)?[\\/](?:.*[\\/])?bin\.(?:js|ts)$/i.test(word) ||
  /[\\/](?:dist|src|built)[\\/]bin\.(?:js|ts)$/i.test(word)
