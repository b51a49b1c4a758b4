/**
 * What Node gives up on before there is a request: what it cannot read, or not in time. It is answered like everything
 * else, with the guarding headers, and the connection is ended (RFC 9112 §9.6).
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const refusals: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The body is too long' },
}
const unreadable = { status: 400, message: 'The request could not be read' }

/** A handler of the server's `clientError`, which answers with these headers as well. */
export function refuseUnreadable(
  headers: Readonly<Record<string, string>>,
): (error: { readonly code?: string }, socket: Socket) => void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return ({ code = '' }, socket) => {
    const { status, message } = refusals[code] ?? unreadable
    const body = JSON.stringify({ message })
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` +
          `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
          `connection: close\r\n\r\n${body}`,
      )
    }
    // At once, not when it has been read: who reads slowly would keep their place.
    socket.destroy()
  }
}
