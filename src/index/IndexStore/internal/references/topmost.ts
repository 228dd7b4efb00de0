/** Returns the paths that are in the fewest folders. The input may have hundreds of thousands. */
export const topmost = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const depths = paths.map((path) => path.split("/").length)
  const least = depths.reduce((least, depth) => Math.min(least, depth), Number.POSITIVE_INFINITY)
  return paths.filter((_, at) => depths[at] === least)
}
