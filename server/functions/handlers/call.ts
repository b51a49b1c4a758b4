/**
 * One call of a function, from its request to its answer (spec §6, §7): read the body, act through the runtime, answer.
 * The database decides whether the caller may. Runs on this server and in Deno (docs/decisions/0032).
 */
import { parseDeleteAccount } from '@finanzas/contract/delete-account.ts'
import { type Parsed, parseManageTransactions, parseManageUsers } from '@finanzas/contract/functions.ts'
import { FunctionError, errorOfDatabase, errorResponse } from './errors.ts'
import { type IdempotencyKey, readIdempotencyKey, replayedAnswer } from './idempotency.ts'
import type { FunctionRuntime } from './runtime.ts'

type Handler = (body: unknown, runtime: FunctionRuntime, key: IdempotencyKey | null) => Promise<object>

/** The functions as the wire names them; a handler answers the body of a 200. */
const handlers: Readonly<Record<FunctionName, Handler>> = {
  /** A customer erases their own account: the password is asked again (security.md PR-02). */
  'delete-account': async (body, runtime) => {
    const { password } = accepted(parseDeleteAccount(body))
    if (!(await runtime.isOwnPassword(password)))
      throw new FunctionError(403, 'La contraseña no es correcta.')
    await runtime.eraseOwnAccount()
    return { message: 'Tu cuenta fue eliminada. Gracias por haber confiado en nosotros.' }
  },
  'manage-transactions': async (body, runtime, key) => {
    const { transactionData } = accepted(parseManageTransactions(body))
    return { id: await runtime.recordTransaction(transactionData, key) }
  },
  'manage-users': async (body, runtime, key) => {
    const order = accepted(parseManageUsers(body))
    if (order.action === 'create') return { id: await runtime.createUser(order, key) }
    await runtime.deleteUser(order.userId, key)
    return { id: order.userId }
  },
}

export type FunctionName = 'delete-account' | 'manage-transactions' | 'manage-users'

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(handlers, name)
}

/** Answers a call. Throws bugs only. */
export async function answerCall(
  name: FunctionName,
  { headers, body }: { readonly headers: Headers; readonly body: Uint8Array<ArrayBuffer> },
  runtime: FunctionRuntime,
): Promise<Response> {
  let isAdmitted = false
  try {
    await runtime.admit()
    isAdmitted = true
    const key = await readIdempotencyKey(headers.get('idempotency-key'), () => runtime.fingerprint(body))
    return Response.json(await handlers[name](readJson(body), runtime, key))
  } catch (error) {
    const fromDatabase = runtime.databaseErrorOf(error)
    const replayed = fromDatabase === null ? null : replayedAnswer(fromDatabase)
    if (replayed !== null) return replayed
    const answered =
      error instanceof FunctionError
        ? error
        : ((fromDatabase === null ? null : errorOfDatabase(fromDatabase, error)) ?? runtime.errorOf(error))
    if (answered === null) throw error
    if (isAdmitted && answered.status === 403) runtime.logDenied(name)
    return errorResponse(answered)
  }
}

function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new FunctionError(400, parsed.message)
  return parsed.value
}

/** Decimals of at most this many digits survive a JavaScript number; longer ones are rounded. */
const exactDigitsMax = 15

/**
 * The body's JSON. A number of more digits is kept as its source text, so that an amount is refused and never rounded
 * (security.md MO-02). Throws `FunctionError` 400.
 */
function readJson(body: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body), exactly)
  } catch (error) {
    throw new FunctionError(400, 'El cuerpo no es JSON.', { cause: error })
  }
}

function exactly(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number') return value
  const digits = source.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > exactDigitsMax ? source : value
}
