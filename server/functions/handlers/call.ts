/**
 * One call of a function, from the request to the answer (docs/specification.md §6, §7): reads the body, carries out
 * the action through the runtime, and answers. The database decides whether the caller may act. This code runs both on
 * this server and in Deno (docs/decisions/0032).
 */
import {
  type Parsed,
  parseDeleteAccount,
  parseIssueStatement,
  parseManageTransactions,
  parseManageUsers,
} from '@finanzas/contract/wire/functions.ts'
import { FunctionError, errorOfDatabase, errorResponse } from './errors.ts'
import type { FunctionRuntime, IdempotencyKey } from './runtime.ts'
import { issueCertificate, issueReceipt, issueStatement } from './statement.ts'

/** A call whose body has been read: the action's name for the log and the audit log, and the work to do. */
type Operation = {
  readonly action: string
  /** Id of the user concerned, if the call names a user. */
  readonly target: string | null
  /** Does the work and returns the body of the 200 response, or the response itself if the body is a file. */
  run(): Promise<object | Response>
}
type Handler = (body: unknown, runtime: FunctionRuntime, key: IdempotencyKey | null) => Operation

/** Handlers of the functions, keyed by their names on the wire. */
const handlers: Readonly<Record<FunctionName, Handler>> = {
  'delete-account': (body, runtime) => {
    const { password } = accepted(parseDeleteAccount(body))
    return {
      action: 'delete_account',
      target: null,
      // Requires the password again, because an open session alone must not authorize the deletion of an account
      // (security.md PR-02).
      async run() {
        if (!(await runtime.isOwnPassword(password)))
          throw new FunctionError(403, 'La contraseña no es correcta.')
        await runtime.eraseOwnAccount()
        return { message: 'Tu cuenta fue eliminada. Gracias por haber confiado en nosotros.' }
      },
    }
  },
  'manage-transactions': (body, runtime, key) => {
    const { transactionData } = accepted(parseManageTransactions(body))
    return {
      action: 'register_transaction',
      target: transactionData.user_id,
      run: () => runtime.recordTransaction(transactionData, key),
    }
  },
  'manage-users': (body, runtime, key) => {
    const order = accepted(parseManageUsers(body))
    if (order.action === 'create')
      return {
        action: 'create_user',
        target: null,
        run: () => runtime.createUser(order, key),
      }
    const { userId } = order
    return {
      action: auditedActions[order.action],
      target: userId,
      async run() {
        if (order.action === 'delete') return runtime.deleteUser(userId, key)
        if (order.action === 'resend') await runtime.resendLink(userId, key)
        else await runtime.changeEmail(order, key)
        return { id: userId }
      },
    }
  },
  statement: (body, runtime) => {
    const asked = accepted(parseIssueStatement(body))
    if ('month' in asked)
      return {
        action: 'issue_statement',
        target: asked.user_id,
        run: () => runtime.inTurn(() => issueStatement(asked, runtime)),
      }
    if ('certificate' in asked)
      return {
        action: 'issue_balance_certificate',
        target: asked.user_id,
        run: () => runtime.inTurn(() => issueCertificate(asked, runtime)),
      }
    return {
      action: 'issue_receipt',
      target: asked.user_id,
      run: () => runtime.inTurn(() => issueReceipt(asked, runtime)),
    }
  },
}

/** Names that the audit log uses for the actions. */
const auditedActions = {
  delete: 'delete_user',
  resend: 'send_link',
  change_email: 'begin_email_change',
} as const

export type FunctionName = 'delete-account' | 'manage-transactions' | 'manage-users' | 'statement'

/**
 * HTTP statuses that mean that an action was denied. Other statuses report an invalid request, an ended session, a rate
 * limit or an outage.
 */
const deniedStatuses: ReadonlySet<number> = new Set([403, 404, 409])

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(handlers, name)
}

/** Answers a call. Throws only on bugs. */
export async function answerCall(
  name: FunctionName,
  {
    idempotencyKey,
    body,
  }: { readonly idempotencyKey: string | null; readonly body: Uint8Array<ArrayBuffer> },
  runtime: FunctionRuntime,
): Promise<Response> {
  let operation: Operation | null = null
  try {
    await runtime.admit()
    const key = await readIdempotencyKey(idempotencyKey, () => runtime.fingerprint(body))
    operation = handlers[name](readJson(body), runtime, key)
    const result = await operation.run()
    return result instanceof Response ? result : Response.json(result)
  } catch (error) {
    const fromDatabase = runtime.databaseErrorOf(error)
    const answered =
      error instanceof FunctionError
        ? error
        : ((fromDatabase === null ? null : errorOfDatabase(fromDatabase, error)) ?? runtime.errorOf(error))
    if (answered === null) throw error
    const isAtWork = fromDatabase?.sqlState === '55P03'
    if (operation !== null && deniedStatuses.has(answered.status) && !isAtWork) {
      const { action, target } = operation
      runtime.logDenied({ action, target, code: fromDatabase?.sqlState ?? null })
    }
    return errorResponse(answered)
  }
}

function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new FunctionError(400, parsed.message)
  return parsed.value
}

/**
 * Maximum number of digits with which JavaScript represents every decimal number exactly. Numbers with more digits may
 * be rounded.
 */
const exactDigitsMax = 15

/**
 * Parses the body's JSON. Replaces a number that has more than 15 digits by its source text, so that an amount is
 * refused and never rounded (security.md MO-02). Throws `FunctionError` 400.
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

const visibleAscii = /^[\u0021-\u007e]{1,255}$/

/**
 * Reads `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header); returns `null` if the header is missing. A
 * call that repeats an earlier call's key and body gets the earlier answer and does not take effect again. Throws
 * `FunctionError` 400 for an invalid key.
 */
async function readIdempotencyKey(
  header: string | null,
  fingerprint: () => string | Promise<string>,
): Promise<IdempotencyKey | null> {
  if (header === null) return null
  if (!visibleAscii.test(header)) throw new FunctionError(400, 'La clave de idempotencia no es válida.')
  return { key: header, bodyHash: await fingerprint() }
}
