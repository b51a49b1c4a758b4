/**
 * Node's `clientError`: a request that cannot be read, or not in time. It is answered with the security headers like every
 * other, and the connection is ended (RFC 9112 §9.6).
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const answers: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The body is too long' },
}
const unreadable = { status: 400, message: 'The request could not be read' }

/** The handler; `headers` are added to its answers. */
export function handleClientError(
  headers: Readonly<Record<string, string>>,
): (error: { readonly code?: string }, socket: Socket) => void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return ({ code = '' }, socket) => {
    const { status, message } = answers[code] ?? unreadable
    const body = JSON.stringify({ message })
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
          `connection: close\r\n\r\n${body}`,
      )
    }
    // Without waiting for the client to read it: slow readers would keep their connection.
    socket.destroy()
  }
}
