/**
 * `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header): a call with the key and body of an earlier one is
 * answered the same and takes effect once. The database keeps key and answer in the transaction of the effect.
 */
import { type DatabaseError, FunctionError } from './errors.ts'

export type IdempotencyKey = {
  readonly key: string
  /** 64 hexadecimal digits. */
  readonly bodyHash: string
}

/** SQLSTATE of `private.replay_answer`: the call took effect before, its answer is in the detail. */
const replayedSqlState = 'FZ208'
const visibleAscii = /^[\u0021-\u007e]{1,255}$/

/** Reads the header, `null` without one. Throws `FunctionError` 400 for a key that is empty, too long or not visible ASCII. */
export async function readIdempotencyKey(
  header: string | null,
  fingerprint: () => string | Promise<string>,
): Promise<IdempotencyKey | null> {
  if (header === null) return null
  if (!visibleAscii.test(header)) throw new FunctionError(400, 'La clave de idempotencia no es válida.')
  return { key: header, bodyHash: await fingerprint() }
}

/** The first call's answer, or `null` when the database says something else. */
export function replayedAnswer({ sqlState, detail }: DatabaseError): Response | null {
  if (sqlState !== replayedSqlState) return null
  const { status, response } = JSON.parse(detail ?? '') as { status: number; response: string }
  return new Response(response, { status, headers: { 'content-type': 'application/json' } })
}
