/**
 * `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header): a call that comes again with the same key
 * and body is answered as it was the first time, and takes effect once. The database keeps key and
 * answer in the database transaction of the effect (supabase/migrations, idempotency).
 */
import { type DatabaseRefusal, Refusal } from './refusals.ts'

/** What makes a call the same call; without a header there is none, and every call stands alone. */
export type IdempotencyKey = {
  readonly key: string
  /** 64 hexadecimal digits. */
  readonly bodyHash: string
}

/** SQLSTATE of `private.replay_answer`: the call took effect before, its answer is in the detail. */
const replayedSqlState = 'FZ208'
const visibleAscii = /^[\u0021-\u007e]{1,255}$/

/** Reads the header. Throws `Refusal` 400 for a key that is empty, too long or not visible ASCII. */
export async function readIdempotencyKey(
  header: string | null,
  fingerprint: () => string | Promise<string>,
): Promise<IdempotencyKey | null> {
  if (header === null) return null
  if (!visibleAscii.test(header)) throw new Refusal(400, 'La clave de idempotencia no es válida.')
  return { key: header, bodyHash: await fingerprint() }
}

/** The answer of the first time, or `null` when the database says something else. */
export function replayedAnswer({ sqlState, detail }: DatabaseRefusal): Response | null {
  if (sqlState !== replayedSqlState) return null
  const { status, response } = JSON.parse(detail ?? '') as { status: number; response: string }
  return new Response(response, { status, headers: { 'content-type': 'application/json' } })
}
