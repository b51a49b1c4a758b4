/** The few calls of the wire that the soak makes, as anybody's HTTP client would. */
import { administrator, type ServerProcess } from './server-process.ts'

/** Somebody who is signed in. */
export type Caller = { readonly id: string; readonly token: string }

/** What came back; `null` for no answer at all, which leaves open what happened. */
export type Answer = { readonly status: number; readonly body: unknown } | null

/** A transaction as the soak sends it; the label is its description, and unique. */
export type Movement = { readonly customerId: string; readonly label: string; readonly amount: string }

const answerWaitMs = 10_000
/** One for the whole run: a call that is sent again is the same call. */
const today = new Date().toISOString()

/** Calls one server. */
export type Wire = {
  signUp(email: string): Promise<Caller>
  signInAdministrator(): Promise<Caller>
  /** With `cut`, whoever asks goes away then. */
  deposit(by: Caller, movement: Movement, key: string, cut?: AbortSignal): Promise<Answer>
  expense(by: Caller, movement: Movement, id: string): Promise<Answer>
  remove(by: Caller, id: string): Promise<Answer>
  /** `/rest/v1/<path>` by GET or, with a body, by POST. */
  rest(by: Caller, path: string, body?: unknown): Promise<Answer>
  auth(path: string, body: unknown): Promise<Answer>
}

/** The wire of a server that has been ready once. */
export async function wireOf(server: ServerProcess): Promise<Wire> {
  const apikey = await server.anonKey()
  const call = async (
    path: string,
    init: RequestInit & { token?: string; cut?: AbortSignal | undefined },
  ): Promise<Answer> => {
    const { token = apikey, cut, ...rest } = init
    const tooLong = AbortSignal.timeout(answerWaitMs)
    try {
      const response = await fetch(`${server.url}${path}`, {
        ...rest,
        headers: {
          apikey,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...rest.headers,
        },
        signal: cut === undefined ? tooLong : AbortSignal.any([cut, tooLong]),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
    } catch {
      return null
    }
  }
  const auth = (path: string, body: unknown) =>
    call(`/auth/v1/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const session = (answer: Answer): Caller => {
    const { access_token, user } = (answer?.body ?? {}) as { access_token?: string; user?: { id: string } }
    if (access_token === undefined || user === undefined)
      throw new Error(`There is no session: ${JSON.stringify(answer)}`)
    return { id: user.id, token: access_token }
  }
  return {
    async signUp(email) {
      return session(await auth('signup', { email, password: `clave ${crypto.randomUUID()}` }))
    },
    async signInAdministrator() {
      return session(await auth('token?grant_type=password', administrator))
    },
    deposit: ({ token }, { customerId, label, amount }, key, cut) =>
      call('/functions/v1/manage-transactions', {
        method: 'POST',
        token,
        cut,
        headers: { 'idempotency-key': key },
        body: JSON.stringify({
          action: 'create',
          transactionData: {
            user_id: customerId,
            type: 'deposit',
            amount,
            description: label,
            date: today,
            category: 'Deposito',
          },
        }),
      }),
    expense: ({ token }, { customerId, label, amount }, id) =>
      call('/rest/v1/transactions', {
        method: 'POST',
        token,
        body: JSON.stringify({
          id,
          user_id: customerId,
          type: 'expense',
          description: label,
          amount,
          category: 'Otros',
        }),
      }),
    remove: ({ token }, id) =>
      call(`/rest/v1/transactions?id=eq.${id}&select=id`, {
        method: 'DELETE',
        token,
        headers: { prefer: 'return=representation' },
      }),
    rest: ({ token }, path, body) =>
      call(
        `/rest/v1/${path}`,
        body === undefined ? { token } : { method: 'POST', token, body: JSON.stringify(body) },
      ),
    auth,
  }
}
