/** Connections on which a test can send any bytes and read all bytes of the answer. */
import { type Socket, connect } from 'node:net'

export type RawConnection = {
  readonly socket: Socket
  /** Returns the bytes that were received so far, one character for each byte. */
  readonly heard: () => string
  /** Resolves with all received bytes after either side has closed the connection. */
  readonly ended: Promise<string>
}

/** A parsed answer. */
export type RawAnswer = {
  readonly status: number
  /** The headers by their lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Returns the text of a GET request. `more` are additional header lines. */
export const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: banco.example\r\n${more}\r\n`

/** Opens a connection and waits until it is established. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // A reset is not a failure, because a server may close a connection this way.
  socket.removeAllListeners('error').on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  return { socket, heard: () => heard, ended }
}

/** Sends a text and reads answers until the server closes the connection. */
export async function askRaw(url: string, said: string | Uint8Array): Promise<RawAnswer[]> {
  const { socket, ended } = await openRawConnection(url)
  socket.write(said)
  return answersOf(await ended)
}

/** Sends a text and reads only the status and headers of the answer. Throws an error if no answer comes. */
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

/** Parses the answers in a stream, except those with status 100. Throws an error if the stream contains other text. */
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
