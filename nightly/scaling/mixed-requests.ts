/** Requests of signed-in people as bytes, for a load that sends them as they are. */
import type { ServerProcess } from '#nightly/places/server-process.ts'
import { type Caller, wireOf } from '#nightly/places/wire.ts'

/** So many that a rush is one of many people, and no burst of a few (`server/overload/admission-queue.ts`). */
const customersCount = 400

/** What people do all day: half latest movements, a quarter the balance, a quarter an expense. */
export async function mixedRequests(server: ServerProcess): Promise<string[]> {
  const wire = await wireOf(server)
  const apikey = await server.anonKey()
  const requests: string[] = []
  for (let number = 0; number < customersCount; number += 1) {
    const caller = await wire.signUp(`carga-${number}@banco.example`)
    const read = get(
      caller,
      apikey,
      `/rest/v1/transactions?select=*&user_id=eq.${caller.id}&order=date.desc&limit=5`,
    )
    requests.push(read, get(caller, apikey, '/rest/v1/budgets?select=balance'), read, record(caller, apikey))
  }
  return requests
}

function get(caller: Caller, apikey: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${headers(caller, apikey)}\r\n\r\n`
}

function record(caller: Caller, apikey: string): string {
  const body = JSON.stringify({
    id: '%ID%',
    user_id: caller.id,
    type: 'expense',
    description: 'Almuerzo',
    amount: 1,
    category: 'Comida',
  })
  const length = body.length - '%ID%'.length + 36
  const type = `Content-Type: application/json\r\nContent-Length: ${length}`
  return `POST /rest/v1/transactions HTTP/1.1\r\n${headers(caller, apikey)}\r\n${type}\r\n\r\n${body}`
}

function headers({ token }: Caller, apikey: string): string {
  return `Host: 127.0.0.1\r\napikey: ${apikey}\r\nAuthorization: Bearer ${token}`
}
