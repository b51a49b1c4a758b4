/** Writes the log lines of denied actions. */
import { bodyBytesMax } from '@finanzas/contract/limits.ts'
import { readUuid } from '@finanzas/contract/format/uuid.ts'
import type { FastifyRequest } from 'fastify'
import { SqlError, lacksSecondFactor } from '#database/database.ts'
import { logDenial } from '#http/log.ts'
import type { Caller } from '#tokens/caller.ts'

/** SQLSTATEs of denied actions: the caller lacks a privilege, or a rule about administrators forbids the action. */
const deniedSqlStates: ReadonlySet<string> = new Set(['42501', 'PT403'])
/**
 * Further SQLSTATEs that count as a denied action if the call names a user: the user is unknown, or the action would
 * not change anything.
 */
const deniedAboutPerson: ReadonlySet<string> = new Set(['PT404', 'PT409'])

/** Logs the action if the error means that the database denied it. */
export function logDenied(request: FastifyRequest, caller: Caller, error: unknown): void {
  if (caller.role !== 'authenticated' || !(error instanceof SqlError) || lacksSecondFactor(error)) return
  const { table, name } = request.params as { table?: string; name?: string }
  const target = name === undefined ? null : personIn(request.body)
  if (!deniedSqlStates.has(error.sqlState) && (target === null || !deniedAboutPerson.has(error.sqlState)))
    return
  const action = name === undefined ? `${request.method} ${table}` : `rpc ${name}`
  logDenial(request, { actor: caller.claims.sub, action, target, code: error.sqlState })
}

/** Returns the `user_id` in the body of a call; `null` if the body does not contain one. */
function personIn(body: unknown): string | null {
  if (typeof body !== 'string' || body.length > bodyBytesMax) return null
  try {
    const { user_id: person } = JSON.parse(body) as { user_id?: unknown }
    return readUuid(person)
  } catch {
    // The body is empty or CSV.
    return null
  }
}
