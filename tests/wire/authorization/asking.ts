/** A request to the table API, and all of its answer that a client can see. */
import { inject } from 'vitest'

/** What is asked; the path is below the prefix. */
export type Asked = {
  readonly path: string
  /** GET when left out. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** What comes back, without what is different each time anyway. */
export type Answer = {
  readonly asked: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** The ways in which the rows of a table can be asked for. */
export const ways: readonly Readonly<Record<string, string>>[] = [
  {},
  { prefer: 'count=exact' },
  { prefer: 'count=planned' },
  { prefer: 'count=estimated' },
  { accept: 'text/csv' },
  { accept: 'application/vnd.pgrst.object+json' },
  { accept: 'application/vnd.pgrst.plan+json' },
  { range: '0-0', prefer: 'count=exact' },
  { range: '5-9', prefer: 'count=estimated' },
]

/** Of the moment, or of the connection. */
const changing = new Set(['date', 'keep-alive', 'connection', 'x-request-id'])

/** Asks with an access token, or in nobody's name. */
export async function ask(
  { path, method = 'GET', headers = {}, body }: Asked,
  token: string | null,
): Promise<Answer> {
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${token ?? anonKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    asked: `${method} ${path} ${JSON.stringify(headers)}`,
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => !changing.has(name)),
    text: await answer.text(),
  }
}
