/** A client of a language server that runs as a program and speaks over its standard streams. */
import { spawn } from "node:child_process"

/**
 * Starts a server.
 *
 * @param answer returns the answer to a request of the server: `(method, params) => result`
 * @param notified is called with each notification of the server: `(method, params) => void`
 */
export const startServer = ([command, ...words], { answer, cwd, notified }) => {
  const server = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], cwd })
  const waiting = new Map()
  let buffer = Buffer.alloc(0)
  let lastId = 0
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    server.stdin.write(body)
  }
  const handle = (message) => {
    if (message.method === undefined) {
      const { resolve, reject } = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error === undefined) resolve(message.result)
      else reject(new Error(message.error.message))
    } else if (message.id === undefined) notified(message.method, message.params)
    else send({ id: message.id, result: answer(message.method, message.params) ?? null })
  }
  server.stdout.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())[1])
      if (buffer.length < end + 4 + length) return
      const body = buffer.subarray(end + 4, end + 4 + length).toString()
      buffer = buffer.subarray(end + 4 + length)
      handle(JSON.parse(body))
    }
  })
  return {
    notify: (method, params) => send({ method, params }),
    request: (method, params) =>
      new Promise((resolve, reject) => {
        lastId++
        waiting.set(lastId, { resolve, reject })
        send({ id: lastId, method, params })
      }),
    end: () => {
      server.stdin.end()
      server.kill()
    },
  }
}
