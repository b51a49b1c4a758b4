/**
 * Both ends of the operator's socket: HTTP on a Unix socket that only the server's own user can open. No other process
 * can open the directory of an embedded engine that is running. The commands are therefore sent to the server
 * (docs/decisions/0018). Each command is a POST request whose path is the command's name and whose body is the
 * command's input as JSON.
 */
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DataDirectoryError } from '#data-directory/data-directory.ts'
import { explainDatabase } from '#database/postgres/explain-failure.ts'
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import {
  type CommandContext,
  CommandRefused,
  type OperatorCommand,
  type OperatorCommands,
} from './command.ts'

const bodyBytesMax = 64 * 1024

/**
 * Body of a response. With status 200, the body has an `answer`; with any other status, such as 404 for an unknown
 * command, the body has a `message`.
 */
export type SocketReply =
  | { readonly answer: unknown }
  | { readonly message: string; readonly isRefusal: boolean }

/**
 * Listens on the path and replaces a socket file that a crashed server left behind. Returns a function that stops
 * listening after the running commands have ended.
 */
export async function openOperatorSocket(
  path: string,
  commands: OperatorCommands,
  context: CommandContext,
): Promise<() => Promise<void>> {
  const running = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = answer(request, response, commands, context)
    running.add(work)
    void work.finally(() => running.delete(work))
  })
  // This process holds the directory's lock; an existing socket file was therefore left behind by a crashed server.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  // The umask makes the socket file private from the start, so that other users cannot connect even for a moment.
  const mask = process.umask(0o177)
  server.listen(path)
  process.umask(mask)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    await Promise.all(running)
    server.closeAllConnections()
    await closed
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  commands: OperatorCommands,
  context: CommandContext,
): Promise<void> {
  const name = (request.url ?? '').slice(1)
  const reply = (status: number, body: SocketReply) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (!Object.hasOwn(commands, name)) {
    const message = `El servidor en marcha no conoce el comando ${name}. Reinícialo primero con esta versión.`
    return reply(404, { message, isRefusal: true })
  }
  // Only the server's own user can open the socket.
  const command = commands[name] as OperatorCommand<unknown, unknown>
  try {
    reply(200, { answer: (await command(context, await readBody(request))) ?? null })
  } catch (error) {
    const refusal = error instanceof CommandRefused ? error.message : explainDatabase(error)
    const stack = error instanceof Error ? (error.stack ?? '') : String(error)
    reply(refusal === null ? 500 : 422, { message: refusal ?? stack, isRefusal: refusal !== null })
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new CommandRefused(`Un comando admite como máximo ${bodyBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown
}

/**
 * Calls the server that is running in this directory. Returns `null` if no server is running. Throws `CommandRefused`
 * with the server's message if the server refuses, and an `Error` if the server fails.
 */
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
  const reply = (await json(response)) as SocketReply
  if ('answer' in reply) return reply
  throw reply.isRefusal ? new CommandRefused(reply.message) : new Error(reply.message)
}

/**
 * Maximum length of a socket path. `sun_path` has 108 bytes on Linux and 104 bytes on macOS, including the terminating
 * zero byte.
 */
const pathBytesMax = 103

/**
 * Returns the path on which the server listens and to which commands connect. Returns the absolute path if the system
 * allows its length, and otherwise the path relative to the working directory. Throws `DataDirectoryError` if both
 * paths are too long.
 */
export function socketPath(dataDir: string): string {
  if (process.platform === 'win32') return String.raw`\\.\pipe\finanzas-` + dataDir.replaceAll(/[^\w]/g, '-')
  const absolute = join(dataDir, 'operator.sock')
  const path = [absolute, relative(process.cwd(), absolute)].find(
    (candidate) => Buffer.byteLength(candidate) <= pathBytesMax,
  )
  if (path === undefined) {
    throw new DataDirectoryError(
      `La ruta de DATA_DIR (${dataDir}) es demasiado larga para el socket del operador. Elige una más corta.`,
    )
  }
  return path
}
