/** Sends an attempt and reduces its answer to an outcome. */
import { inject } from 'vitest'
import type { WireAttempt } from './attempts.ts'

/** `rows`, `nothing`, `done`, or status and code of the refusal. */
export type Outcome = string

export async function runAttempt({ method, path, headers, body }: WireAttempt): Promise<Outcome> {
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

export function isDone(outcome: Outcome): boolean {
  return outcome === 'done' || outcome === 'rows'
}

/** Refusals for every actor alike: writes that a view cannot take, and rules of triggers. */
const refusingCodes = ['0A000', '42703', '55000', 'P0001']

/** Whether the attempt was refused, or came to nothing. */
export function isRefused(outcome: Outcome): boolean {
  return (
    outcome === 'nothing' ||
    /^(401|403|404)\b/.test(outcome) ||
    refusingCodes.some((code) => outcome.endsWith(` ${code}`)) ||
    outcome === '406 PGRST106' ||
    outcome.startsWith('409 No puedes') ||
    outcome.startsWith('400 No puedes')
  )
}

function countedRows(answer: Response): Outcome {
  if (!answer.ok) return String(answer.status)
  return rows(Number(answer.headers.get('content-range')?.split('/')[1] ?? 0))
}

function rows(count: number): Outcome {
  return count === 0 ? 'nothing' : 'rows'
}
