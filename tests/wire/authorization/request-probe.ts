/** A request to the table API, and all of its answer that a client can see. */
import { rawRest } from '#tests/wire/rest/raw-rest.ts'

/** The path is below the prefix. */
export type ProbeRequest = {
  readonly path: string
  /** GET when left out. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Without the headers that differ each time. */
export type Answer = {
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** The headers with which the rows of a table can be read. */
export const readHeaders: readonly Readonly<Record<string, string>>[] = [
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
const volatileHeaders = new Set(['date', 'keep-alive', 'connection', 'x-request-id'])

/** Sends the request with an access token, or with the anon key alone. */
export async function probe(request: ProbeRequest, token: string | null): Promise<Answer> {
  const { path, method = 'GET', headers = {}, body } = request
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await rawRest(method, path, { body, headers: { ...authorization, ...headers } })
  return {
    request: `${method} ${path} ${JSON.stringify(headers)}`,
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => !volatileHeaders.has(name)),
    text: answer.text,
  }
}
