/** Sends an attempt and reduces its answer to an outcome; and the pages that list the outcomes. */
import { inject } from 'vitest'
import { type Actor, type Attempt, actorDescriptions } from '#supabase/authorization/is-permitted.ts'
import { permissions } from '#supabase/authorization/permissions.ts'
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
const refusingCodes = ['0A000', '42703', '55000']

/** Whether the attempt was refused, or came to nothing. */
export function isRefused(outcome: Outcome): boolean {
  return (
    outcome === 'nothing' ||
    /^(401|403|404)\b/.test(outcome) ||
    refusingCodes.some((code) => outcome.endsWith(` ${code}`)) ||
    outcome === '406 PGRST106' ||
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

export type AttemptResult = { readonly attempt: Attempt; readonly outcome: Outcome }

/** `docs/authorization.md`. */
export function permissionsPage(results: readonly AttemptResult[]): string {
  const actors = actorsOf(results)
  return [
    '# Authorization',
    '',
    'The whole list of what is permitted. Everything else is refused or comes to nothing: the matrix generates every attempt from',
    'the catalogue and makes it over HTTP and on the realtime surface ([0029](decisions/0029-the-matrix-is-generated.md)). How each',
    'ended is [outcomes.txt](../tests/wire/authorization/outcomes.txt). `npx vitest run --project authorization:postgres -u` writes both.',
    '',
    `${results.length} attempts: ${objectsOf(results).length} objects, ${actors.length} actors.`,
    '',
    '## Permissions',
    '',
    ...permissions.map((sentence) => `- ${sentence}`),
    '',
    '## Actors',
    '',
    ...actors.map((actor) => `- *${actor}*: ${actorDescriptions[actor]}`),
    '',
  ].join('\n')
}

/** Attempts that ended alike for each actor share a line. */
export function outcomesText(results: readonly AttemptResult[]): string {
  const actors = actorsOf(results)
  return [
    'rows: something was seen, written or received. nothing: an answer without rows. done: accepted.',
    'Otherwise the status and the code of the refusal. The actors of each line:',
    actors.join(' | '),
    ...objectsOf(results).flatMap((object) => [
      '',
      object,
      ...tableOf(
        results.filter(({ attempt }) => attempt.object === object),
        actors,
      ),
    ]),
    '',
  ].join('\n')
}

function actorsOf(results: readonly AttemptResult[]): Actor[] {
  return [...new Set(results.map(({ attempt }) => attempt.actor))]
}

function objectsOf(results: readonly AttemptResult[]): string[] {
  return [...new Set(results.map(({ attempt }) => attempt.object))]
}

function tableOf(results: readonly AttemptResult[], actors: readonly Actor[]): string[] {
  const lines = new Map<string, { verb: string; target: string; columns: string[]; outcomes: string[] }>()
  const attempts = new Map(
    results.map(({ attempt }) => [[attempt.verb, attempt.target, attempt.column].join('|'), attempt]),
  )
  for (const { verb, target, column } of attempts.values()) {
    const outcomes = actors.map(
      (actor) =>
        results.find(
          ({ attempt }) =>
            attempt.actor === actor &&
            attempt.verb === verb &&
            attempt.target === target &&
            attempt.column === column,
        )?.outcome ?? '–',
    )
    const key = [verb, target, ...outcomes].join('|')
    const line = lines.get(key) ?? { verb, target, columns: [], outcomes }
    if (column !== null) line.columns.push(column)
    lines.set(key, line)
  }
  return [...lines.values()].map(
    ({ verb, target, columns, outcomes }) =>
      `  ${verb}${target === 'none' ? '' : ` ${target}`}${columns.length === 0 ? '' : ` (${columns.join(', ')})`}: ${outcomes.join(' | ')}`,
  )
}
