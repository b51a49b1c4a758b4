/** Connections on which a test can send arbitrary bytes and read every received byte. */
import { type Socket, connect } from 'node:net'

export type RawConnection = {
  readonly socket: Socket
  /** Returns the bytes received so far as a string, with one character for each byte. */
  readonly received: () => string
  /** Resolves to all received bytes once either side has closed the connection. */
  readonly ended: Promise<string>
}

/** A parsed answer. */
export type RawAnswer = {
  readonly status: number
  /** The headers, keyed by their lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Returns the text of a GET request. `more` contains additional header lines. */
export const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: banco.example\r\n${more}\r\n`

/** The headers with which a client asks to upgrade the connection to a WebSocket. */
export const handshake =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

/** Opens a connection and waits until it is established. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // Ignores errors from here on, because a server may close a connection with a reset.
  socket.removeAllListeners('error').on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  return { socket, received: () => received, ended }
}

/** Sends the input and reads answers until the server closes the connection. */
export async function askRaw(url: string, sent: string | Uint8Array): Promise<RawAnswer[]> {
  const { socket, ended } = await openRawConnection(url)
  socket.write(sent)
  return answersOf(await ended)
}

/**
 * Sends the input and reads only the status and the headers of the first answer. Throws an error if no answer
 * arrives.
 */
export async function firstAnswer(url: string, sent: string | Uint8Array): Promise<RawAnswer> {
  const { socket, received, ended } = await openRawConnection(url)
  socket.write(sent)
  socket.on('data', () => {
    if (received().includes('\r\n\r\n')) socket.destroy()
  })
  const [answer] = answersOf(await ended)
  if (answer === undefined) throw new Error('The connection ended without an answer.')
  return answer
}

const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/

/**
 * Parses a stream of answers and omits answers with status 100. Throws an error if the stream contains anything else.
 */
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
