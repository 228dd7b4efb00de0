// Where the peers are installed, how big they are, and how to import from them.
import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

export const benchRoot = resolve(dirname(fileURLToPath(import.meta.url)), "..")
export const peersRoot = resolve(process.env.BENCH_PEERS ?? join(benchRoot, ".peers"))

/** Bytes, files and packages below a node_modules folder (links not followed). */
export const tree = (root) => {
  const out = { bytes: 0, files: 0, packages: 0 }
  const seen = new Set()
  const walk = (dir) => {
    let entries
    try {
      entries = readdirSync(dir, { withFileTypes: true })
    } catch {
      return
    }
    for (const e of entries) {
      const p = join(dir, e.name)
      if (e.isDirectory()) walk(p)
      else if (e.isFile()) {
        const st = lstatSync(p)
        if (st.nlink > 1) {
          if (seen.has(st.ino)) continue // a hard link to a file already counted
          seen.add(st.ino)
        }
        out.files++
        out.bytes += st.size
        if (e.name === "package.json") {
          const m = dir.match(/node_modules\/(@[^/]+\/[^/]+|[^/@]+)$/)
          if (m) out.packages++
        }
      }
    }
  }
  walk(root)
  return out
}

/** import() for packages of one peer folder; falls back to plain resolution. */
export const importer = (peer) => {
  const dir = join(peersRoot, peer)
  const find = (spec) => {
    // the ESM conditions of package exports, without depending on the caller's folder
    const parts = spec.startsWith("@") ? spec.split("/").slice(0, 2) : spec.split("/").slice(0, 1)
    const pkgDir = join(dir, "node_modules", ...parts)
    const pkg = JSON.parse(readFileSync(join(pkgDir, "package.json"), "utf8"))
    const sub = `.${spec.slice(parts.join("/").length)}`
    const pick = (t) => {
      if (typeof t === "string") return t
      if (Array.isArray(t)) return t.map(pick).find(Boolean)
      if (t && typeof t === "object")
        for (const [k, v] of Object.entries(t))
          if (["node", "import", "module-sync", "default"].includes(k)) {
            const got = pick(v)
            if (got) return got
          }
      return undefined
    }
    const ex = pkg.exports
    let target
    if (ex !== undefined) {
      if (typeof ex === "string" || Array.isArray(ex) || !Object.keys(ex).some((k) => k.startsWith(".")))
        target = sub === "." ? pick(ex) : undefined
      else if (ex[sub]) target = pick(ex[sub])
      else
        for (const [k, v] of Object.entries(ex)) {
          const star = k.indexOf("*")
          if (star < 0 || !sub.startsWith(k.slice(0, star)) || !sub.endsWith(k.slice(star + 1))) continue
          const mid = sub.slice(star, sub.length - (k.length - star - 1))
          target = pick(v)?.replaceAll("*", mid)
          if (target) break
        }
    } else target = sub === "." ? (pkg.module ?? pkg.main ?? "index.js") : sub
    if (!target) return createRequire(join(dir, "package.json")).resolve(spec)
    return join(pkgDir, target)
  }
  return (spec) => import(pathToFileURL(find(spec)).href)
}
