/** The name of a workspace file: without a dot, so that it is seen beside the folders that it names. See `WorkspaceFile`. */
export const FILE_NAME = "vibe-workspace.toml"
