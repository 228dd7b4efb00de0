/** The files of the package as one compressed value: a fifth of their size, and one read at the first start. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"

export interface File {
  /** Relative, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Takes some 20 s for 50 MB: it is compressed once, and downloaded often. */
const LEVEL = 19

/** The path of each file and its length. */
export type List = ReadonlyArray<readonly [path: string, length: number]>

/** The length of the list of files (4 bytes, little-endian), the list as JSON, then the bytes of all in Zstandard. */
export const pack = (files: ReadonlyArray<File>, level: number = LEVEL): Uint8Array => {
  const list = Buffer.from(JSON.stringify(files.map(({ bytes, path }) => [path, bytes.length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(list.length)
  const compressed = zstdCompressSync(Buffer.concat(files.map(({ bytes }) => bytes)), {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
  })
  return Buffer.concat([length, list, compressed])
}

/** What is in it, which is read at every start. Only what `pack` has made is read, so its shape is not checked. */
export const listOf = (archive: Uint8Array): List => JSON.parse(Buffer.from(listBytes(archive)).toString())

/** The inverse of `pack`. */
export const unpack = (archive: Uint8Array): ReadonlyArray<File> => {
  const bytes = zstdDecompressSync(archive.subarray(4 + listBytes(archive).length))
  let at = 0
  return listOf(archive).map(([path, length]) => {
    at += length
    return { path, bytes: bytes.subarray(at - length, at) }
  })
}

const listBytes = (archive: Uint8Array): Uint8Array => {
  const length = new DataView(archive.buffer, archive.byteOffset).getUint32(0, true)
  return archive.subarray(4, 4 + length)
}
