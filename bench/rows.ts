/** What a server answers to one request, in the one form in which answers of different wires can be compared. */
import type { MeasuredServer } from './server-process.ts'
import { type WireRequest, headersOf, httpTexts } from './wire-request.ts'

/** A movement: amounts in hundredths, times in milliseconds since 1970. */
type ComparedRow = readonly [string, string, string, string, number, number, string | null, string]

type RestRow = Record<'user_id' | 'id' | 'type' | 'description' | 'date' | 'recorded_by', string> & {
  amount: number | string
  category: string | null
}
type GraphqlRow = Record<
  'userId' | 'rowId' | 'type' | 'description' | 'amount' | 'date' | 'recordedBy',
  string
> & {
  category: string | null
}

/** The movements that the table API of that server answers. */
export async function restRows(server: MeasuredServer, request: WireRequest): Promise<ComparedRow[]> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    headers: await headersOf(request.person),
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const rows = (await answer.json()) as RestRow[]
  return rows.map((row) => [
    row.user_id,
    row.id,
    row.type,
    row.description,
    Math.round(Number(row.amount) * 100),
    Date.parse(row.date),
    row.category,
    row.recorded_by,
  ])
}

/** The same movements from a GraphQL server. */
export async function graphqlRows(
  server: MeasuredServer,
  request: WireRequest,
  query: string,
): Promise<ComparedRow[]> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/graphql`, {
    method: 'POST',
    headers: { ...(await headersOf(request.person)), 'content-type': 'application/json' },
    body: graphqlBody(request, query),
  })
  const { data } = (await answer.json()) as { data: { allTransactions: { nodes: GraphqlRow[] } } }
  return data.allTransactions.nodes.map((row) => [
    row.userId,
    row.rowId,
    row.type,
    row.description,
    Math.round(Number(row.amount) * 100),
    Date.parse(row.date),
    row.category,
    row.recordedBy,
  ])
}

/** The requests of the table API, asked of a GraphQL server instead. */
export function graphqlTexts(requests: readonly WireRequest[], query: string): Promise<string[]> {
  return httpTexts(
    requests.map((request) => ({
      person: request.person,
      method: 'POST',
      path: '/graphql',
      body: graphqlBody(request, query),
    })),
  )
}

function graphqlBody({ path }: WireRequest, query: string): string {
  const user = /user_id=eq\.([\w-]+)/.exec(path)?.[1]
  return JSON.stringify({ query, variables: { user } })
}
