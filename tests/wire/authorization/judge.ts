/** Makes an attempt, and says how it ended. */
import { inject } from 'vitest'
import type { WireAttempt } from './attempts.ts'

/** `rows`, `nothing`, `done`, or status and code of the refusal. */
export type Verdict = string

/** Sends the request; every refusal is an answer. */
export async function judge({ method, path, headers, body }: WireAttempt): Promise<Verdict> {
  const answer = await fetch(`${inject('server').url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (method === 'HEAD') return countedRows(answer)
  const content = text === '' ? null : (JSON.parse(text) as unknown)
  if (!answer.ok) {
    const { code, error } = (content ?? {}) as { code?: string; error?: string }
    return `${answer.status} ${code ?? error ?? ''}`.trim()
  }
  if (Array.isArray(content) && !path.includes('/rpc/')) return rows(content.length)
  return 'done'
}

/** Whether something was done or seen. */
export function isDone(verdict: Verdict): boolean {
  return verdict === 'done' || verdict === 'rows'
}

/** Refusals that are no matter of rights: what a view cannot take, and what nobody at all may do. */
const refusingCodes = ['0A000', '42703', '55000', 'P0001']

/** Whether it was refused for who asks, or came to nothing. */
export function isRefused(verdict: Verdict): boolean {
  return (
    verdict === 'nothing' ||
    /^(401|403|404)\b/.test(verdict) ||
    refusingCodes.some((code) => verdict.endsWith(` ${code}`)) ||
    verdict === '406 PGRST106' ||
    verdict.startsWith('409 No puedes') ||
    verdict.startsWith('400 No puedes')
  )
}

function countedRows(answer: Response): Verdict {
  if (!answer.ok) return String(answer.status)
  return rows(Number(answer.headers.get('content-range')?.split('/')[1] ?? 0))
}

function rows(count: number): Verdict {
  return count === 0 ? 'nothing' : 'rows'
}
