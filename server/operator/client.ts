/** The client of the operator's socket. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { CommandRefused } from './command.ts'
import { type SocketReply, socketPath } from './socket.ts'
import { errorCode } from '#database/error-code.ts'

/** `null` when no server runs on this directory. Throws `CommandRefused` with the server's sentence, and the server's other errors. */
export async function callRunningServer(
  dataDir: string,
  name: string,
  input: unknown,
): Promise<{ answer: unknown } | null> {
  const call = request({ socketPath: socketPath(dataDir), path: `/${name}`, method: 'POST' })
  call.end(JSON.stringify(input))
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
