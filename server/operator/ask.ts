/** The other side of the operator's socket: brings a command to the server that runs on a data directory. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { CommandRefused } from './bank.ts'
import type { SocketReply } from './socket.ts'
import { socketPath } from './socket-path.ts'
import { errorCode } from '#database/error-code.ts'

/**
 * Has the command run where the bank is open. `null` when no server runs on this directory: then the caller
 * opens it. Throws `CommandRefused` with the server's sentence, and any other failure as the server had it.
 */
export async function askRunningServer(
  dataDir: string,
  name: string,
  given: unknown,
): Promise<{ answer: unknown } | null> {
  const call = request({ socketPath: socketPath(dataDir), path: `/${name}`, method: 'POST' })
  call.end(JSON.stringify(given))
  let response: IncomingMessage
  try {
    ;[response] = (await once(call, 'response')) as [IncomingMessage]
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    throw error
  }
  const reply = JSON.parse(await textOf(response)) as SocketReply
  if ('answer' in reply) return reply
  throw reply.isRefusal ? new CommandRefused(reply.message) : new Error(reply.message)
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
