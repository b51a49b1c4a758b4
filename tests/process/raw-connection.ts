/** A connection on which a test sends any bytes and receives all that come back. */
import { type Socket, connect } from 'node:net'

export type RawConnection = {
  readonly socket: Socket
  /** Everything that came so far; a character is a byte. */
  readonly heard: () => string
  /** Resolves when the connection has ended, by whomever, with everything that came. */
  readonly ended: Promise<string>
}

/** One answer of a stream. */
export type RawAnswer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A request; `more` are further header lines. */
export const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: banco.example\r\n${more}\r\n`

/** Connects, and resolves when the system has let it in. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // A reset is one of the ways in which a server ends a connection.
  socket.removeAllListeners('error').on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  return { socket, heard: () => heard, ended }
}

/** Sends one text, and receives everything until the server ends the connection. */
export async function askRaw(url: string, said: string | Uint8Array): Promise<RawAnswer[]> {
  const { socket, ended } = await openRawConnection(url)
  socket.write(said)
  return answersOf(await ended)
}

/** Sends one text, and receives only the head of the answer. Throws without one. */
export async function firstAnswer(url: string, said: string | Uint8Array): Promise<RawAnswer> {
  const { socket, heard, ended } = await openRawConnection(url)
  socket.write(said)
  socket.on('data', () => {
    if (heard().includes('\r\n\r\n')) socket.destroy()
  })
  const [answer] = answersOf(await ended)
  if (answer === undefined) throw new Error('The connection ended without an answer.')
  return answer
}

const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/

/** The answers of a stream, but for those that say to go on. Throws where it holds anything else. */
export function answersOf(stream: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = stream; rest !== '';) {
    const [text, status, lines = ''] = head.exec(rest) ?? []
    if (text === undefined) throw new Error(`No answer begins with ${JSON.stringify(rest.slice(0, 80))}.`)
    const headers = new Map(
      lines
        .trimEnd()
        .split('\r\n')
        .map((line): [string, string] => {
          const [name = '', value = ''] = line.split(/: ?(.*)/s, 2)
          return [name.toLowerCase(), value]
        }),
    )
    const length = Number(headers.get('content-length') ?? 0)
    const body = rest.slice(text.length, text.length + length)
    rest = rest.slice(text.length + length)
    if (status !== '100') answers.push({ status: Number(status), headers, body })
  }
  return answers
}
