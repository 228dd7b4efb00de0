/**
 * The Node that runs npm. A checkout brings its own Node for the build, but npm leaves out an optional package whose
 * `engines` do not allow the Node that runs npm itself, and the compiled parts of the bundler are such packages.
 */

/** The versions that the bundler's packages allow: `engines` of rolldown. */
export const NEEDED = "^20.19.0 || >=22.12.0"

/**
 * Returns what to say if npm ran on a Node with which it leaves out packages that the build needs; undefined if it did
 * not, or if it was not npm that started the build. `userAgent` is npm's own variable:
 * `npm/10.8.2 node/v18.20.8 linux x64`.
 */
export const complain = (userAgent: string | undefined): string | undefined => {
  const version = /\bnode\/v(\d+)\.(\d+)\.\d+/.exec(userAgent ?? "")
  if (version === null) return undefined
  const [major, minor] = [Number(version[1]), Number(version[2])]
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return undefined
  return `vibe: npm ran on Node ${major}.${minor}, with which it leaves out a part of the bundler: run 'npm ci' again with Node 20.19, 22.12 or newer`
}
