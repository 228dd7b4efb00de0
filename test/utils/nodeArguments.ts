/**
 * The arguments with which this Node runs a file of TypeScript, for processes that do not inherit NODE_OPTIONS. Node
 * runs one without them since 22.18.
 */
export const nodeArguments: ReadonlyArray<string> = process.allowedNodeEnvironmentFlags.has(
  "--experimental-strip-types",
)
  ? ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"]
  : []
