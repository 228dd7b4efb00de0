/** A made-up repository of any size: the TypeScript of this checkout, multiplied under changed names. */
import * as fs from "node:fs"
import * as path from "node:path"

const checkout = path.resolve(import.meta.dirname, "..")

/** Writes that many files under a folder. The same folder comes of the same checkout and number, byte by byte. */
export const make = (folder: string, files: number): void => {
  const originals = ["src", "test"].flatMap(read)
  const declared = new Set(
    originals.flatMap(({ text }) => Array.from(text.matchAll(declaration), ([, name = ""]) => name)),
  )
  for (let number = 0; number < files; number++) {
    const { file, text } = pick(originals, number)
    const copy = Math.floor(number / originals.length)
    const target = path.join(folder, "packages", `${pick(words, copy)}-${copy}`, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, copy === 0 ? text : text.replace(identifier, renamed(declared, copy)))
  }
}

const read = (part: string) =>
  fs
    .readdirSync(path.join(checkout, part), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => ({ file: path.join(part, file), text: fs.readFileSync(path.join(checkout, part, file), "utf8") }))

/** Of names with a capital: no keyword has one, and a part of TypeScript's are keywords only in places. */
const declaration = /\b(?:const|function|class|interface|type) (\w*[A-Z]\w*)/g

const identifier = /\b[A-Za-z_]\w*\b/g

/** Every other name of ours gets a word of the copy's own behind it: names are shared by some copies, not by all. */
const renamed = (declared: ReadonlySet<string>, copy: number) => (name: string) => {
  const chance = digest(`${copy} ${name}`)
  return declared.has(name) && chance % 2 === 0 ? `${name}${pick(words, chance >>> 1)}` : name
}

/** FNV-1a. */
const digest = (text: string): number => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
  return hash
}

const pick = <A>(from: ReadonlyArray<A>, number: number): A => {
  const found = from[number % from.length]
  if (found === undefined) throw new Error("nothing to pick from")
  return found
}

const words: ReadonlyArray<string> = (
  "Order Invoice Parcel Ledger Account Courier Harbour Garden Engine Ticket Lantern Meadow Compass Quarry Orchard " +
  "Signal Bridge Canvas Kernel Anchor Beacon Cellar Ferry Granary Helmet Island Junction Kettle Lattice Mirror"
).split(" ")
