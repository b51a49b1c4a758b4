/**
 * Refuses unreadable requests and request smuggling (RFC 9112 §2.3, §3.2, §6.1). For some requests that Node's parser
 * accepts, a proxy may see another host or another end of the message. The server refuses such a request and every
 * later request on the connection.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const unreadable = { status: 400, message: 'The request could not be read' }

/** Adds the framing check, which must be the first hook. */
export function addFramingCheck(app: FastifyInstance): void {
  const refused = new WeakSet<Socket>()
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (refused.has(raw.socket)) {
      // Node has already parsed this request, because it arrived in the same packet as a refused request.
      void reply.code(400).hijack()
    } else if (hasUnambiguousFraming(raw)) {
      // After an Upgrade header, Node stops reading HTTP requests from the connection.
      if (raw.headers.upgrade !== undefined) void reply.header('connection', 'close')
      done()
    } else {
      refused.add(raw.socket)
      const { status, message } = unreadable
      void reply.code(status).header('connection', 'close').send({ message })
    }
  })
}

/** Returns true if every conforming parser reads the request in the same way. */
export function hasUnambiguousFraming({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  // Node's parser also accepts HTTP versions 0.9 and 2.0, and requests without a version.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false
  // The server supports no transfer coding except `chunked`, which HTTP/1.0 does not have.
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) return false
  const hosts = hostsOf(rawHeaders)
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** Counts the Host headers in the raw headers, because `headers` contains only the first Host header. */
function hostsOf(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

const answers: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The body is too long' },
}

/**
 * Returns the handler for Node's `clientError` event, which reports a request that is unreadable or too slow. The
 * answer has the same `headers` as every other answer, and the server then closes the connection (RFC 9112 §9.6).
 */
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
    // Does not wait until the client has read the answer, because a slow client would keep its connection open.
    socket.destroy()
  }
}
