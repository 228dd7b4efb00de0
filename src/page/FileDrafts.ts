/**
 * Keeps files that were attached and not sent in the browser, so that they survive a reload. The texts of drafts are in
 * `Drafts`, in a storage that has no room for pictures.
 */

const STORE = "files"

let database: Promise<IDBDatabase> | undefined

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("vibe", 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  database ??= open()
  return (await database).transaction(STORE, mode).objectStore(STORE)
}

/** Returns what was written under a name; undefined if there is nothing, or if the browser forbids storage. */
export const readFiles = async (name: string): Promise<unknown> => {
  try {
    const request = (await store("readonly")).get(name)
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } catch {
    return undefined
  }
}

/** Writes in the order of the calls. Returns true once the browser has stored the files. */
export const writeFiles = async (name: string, files: ReadonlyArray<unknown>): Promise<boolean> => {
  try {
    const kept = await store("readwrite")
    if (files.length === 0) kept.delete(name)
    else kept.put(files, name)
    const { transaction } = kept
    return await new Promise((resolve) => {
      transaction.oncomplete = () => resolve(true)
      transaction.onabort = () => resolve(false)
    })
  } catch {
    return false
  }
}
