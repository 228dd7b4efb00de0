/**
 * The name of a workspace file. It has no dot in front, so that it is seen beside the folders that it names. See
 * `WorkspaceFile`.
 */
export const FILE_NAME = "vibe-workspace.toml"
