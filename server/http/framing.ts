/**
 * Request smuggling: requests that Node's parser takes, and that a proxy in front may have read with another end or for
 * another host (RFC 9112 §2.3, §3.2, §6.1). They are refused, and with them all that follows on the connection.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Must be the first hook. */
export function addFramingCheck(app: FastifyInstance): void {
  const refused = new WeakSet<Socket>()
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (refused.has(raw.socket)) {
      // It came in the same piece as what was refused, and the parser was faster.
      void reply.code(400).hijack()
    } else if (hasUnambiguousFraming(raw)) {
      // Node reads no further on a connection that was asked to become something else.
      if (raw.headers.upgrade !== undefined) void reply.header('connection', 'close')
      done()
    } else {
      refused.add(raw.socket)
      void reply.code(400).header('connection', 'close').send({ message: 'The request could not be read' })
    }
  })
}

/** Whether every conforming parser reads the same request. */
export function hasUnambiguousFraming({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  // The parser also takes what says that it is of 0.9 or 2.0, and what says nothing of it.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false
  // What is not written in chunks alone, we could not read; the old version knows none.
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')) return false
  const hosts = hostsOf(rawHeaders)
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** How many headers name the host; `headers` has the first one alone. */
function hostsOf(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
