/**
 * The operator's socket: HTTP on a Unix socket that only the server's own user can open. While the embedded
 * engine runs nobody else can open its directory, so commands are brought to it (docs/decisions/0018).
 * One command is one POST of its name, with what it is given as JSON.
 */
import { rmSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import { type Bank, CommandRefused, type OperatorCommand, type OperatorCommands } from './bank.ts'

const bodyBytesMax = 64 * 1024

/** What is answered: 200 with `answer`, 404 for a name that this server does not know, otherwise `message`. */
export type SocketReply =
  | { readonly answer: unknown }
  | { readonly message: string; readonly isRefusal: boolean }

/** Listens until the answer is called, which waits for the commands that run. A dead server's socket is taken over. */
export async function openOperatorSocket(
  path: string,
  commands: OperatorCommands,
  bank: Bank,
): Promise<() => Promise<void>> {
  const running = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = answer(request, response, commands, bank)
    running.add(work)
    void work.finally(() => running.delete(work))
  })
  // Whoever holds the directory's lock is the only one who may listen here: what is left is a dead one's.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  // The file is made with these rights: there is no moment at which others could connect.
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
  bank: Bank,
): Promise<void> {
  const name = (request.url ?? '').slice(1)
  const reply = (status: number, body: SocketReply) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (!Object.hasOwn(commands, name)) {
    const message = `El servidor en marcha no conoce el comando ${name}. Reinícialo primero con esta versión.`
    return reply(404, { message, isRefusal: true })
  }
  // Whoever may open the socket is the server's own user, and the program on the other side is ours.
  const command = commands[name] as OperatorCommand<unknown, unknown>
  try {
    reply(200, { answer: (await command(bank, await readBody(request))) ?? null })
  } catch (error) {
    const isRefusal = error instanceof CommandRefused
    const message = error instanceof Error ? (isRefusal ? error.message : (error.stack ?? '')) : String(error)
    reply(isRefusal ? 422 : 500, { message, isRefusal })
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
