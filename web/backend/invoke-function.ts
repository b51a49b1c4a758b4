import { backend } from './client.ts'

/**
 * Calls a function. A refusal is thrown as an `Error` whose message is the function's own sentence;
 * the library keeps that sentence in the response that it attaches to its error.
 */
export async function invokeFunction(name: string, body: Record<string, unknown>): Promise<void> {
  const client = await backend()
  const { error } = await client.functions.invoke(name, { body })
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
