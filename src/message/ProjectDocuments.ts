/** The documents by which a project introduces itself: READMEs and manifests. Pure. */

export const isReadme = (name: string): boolean => /^readme(?:\.(?:md|markdown|rst|txt|adoc|org))?$/i.test(name)

export const isManifest = (name: string): boolean =>
  /^(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|cargo\.toml|go\.mod|pom\.xml|composer\.json|build\.gradle(?:\.kts)?|cmakelists\.txt|gemfile|mix\.exs|[\w.-]+\.(?:gemspec|csproj|sln|cabal))$/i.test(
    name,
  )

export interface Manifest {
  readonly name: string | undefined
  readonly description: string | undefined
}

/** The first name and the first description of a manifest: it need not be whole. */
export const readManifest = (path: string, text: string): Manifest => {
  // What stands without quotes in a program is an expression.
  const quote = path.endsWith(".py") ? `["']` : `["']?`
  const value = (key: string): string | undefined => {
    const found = text.match(
      new RegExp(`"${key}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"|^\\s*${key}\\s*=\\s*${quote}([^"'\\n,]+)`, "m"),
    )
    return (found?.[1]?.replaceAll(/\\(.)/g, "$1") ?? found?.[2])?.trim() || undefined
  }
  if (/go\.mod$/.test(path)) return { name: text.match(/^module\s+(\S+)/m)?.[1], description: undefined }
  if (/pom\.xml$/.test(path)) {
    const project = text.replace(/<parent>[\s\S]*?<\/parent>/, "")
    return {
      name: project.match(/<artifactId>([^<]+)</)?.[1]?.trim(),
      description: project
        .match(/<description>([^<]+)</)?.[1]
        ?.replaceAll(/\s+/g, " ")
        .trim(),
    }
  }
  return { name: value("name"), description: value("description") }
}
