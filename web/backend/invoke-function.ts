import { backend } from './client.ts'

/**
 * Calls a function. A refusal is thrown as an `Error` whose message is the function's own sentence, and an
 * empty one when no answer came; the library keeps that sentence in the response that it attaches to its error.
 * With a key (`newIdempotencyKey`) the same body may be sent again after a lost answer, and takes effect once.
 */
export async function invokeFunction(
  name: string,
  body: Record<string, unknown>,
  idempotencyKey?: string,
): Promise<void> {
  const client = await backend()
  const { error } = await client.functions.invoke(name, {
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  })
  if (error === null) return
  const { context } = error as { context?: unknown }
  throw new Error(await refusalOf(context), { cause: error })
}

async function refusalOf(context: unknown): Promise<string> {
  if (!(context instanceof Response)) return ''
  const body: unknown = await context.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('error' in body)) return ''
  return typeof body.error === 'string' ? body.error : ''
}
