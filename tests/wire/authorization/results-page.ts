/** What the matrix permits, as a page for people, and the outcome of every attempt, as a file beside the test. */
import { type Actor, type Attempt, actorDescriptions } from '#supabase/authorization/is-permitted.ts'
import { permissions } from '#supabase/authorization/permissions.ts'

export type AttemptResult = { readonly attempt: Attempt; readonly outcome: string }

/** `docs/authorization.md`. */
export function permissionsPage(results: readonly AttemptResult[]): string {
  const actors = actorsOf(results)
  return [
    '# Who may do what',
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
    'Otherwise the status and the code of the refusal.',
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
  for (const { verb, target, column } of attemptsOnce(results)) {
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
  return [
    `  actors: ${actors.join(' | ')}`,
    ...[...lines.values()].map(
      ({ verb, target, columns, outcomes }) =>
        `  ${verb}${target === 'none' ? '' : ` ${target}`}${columns.length === 0 ? '' : ` (${columns.join(', ')})`}: ${outcomes.join(' | ')}`,
    ),
  ]
}

function attemptsOnce(results: readonly AttemptResult[]): Omit<Attempt, 'actor' | 'object'>[] {
  const seen = new Map<string, Omit<Attempt, 'actor' | 'object'>>()
  for (const { attempt } of results) {
    const { verb, target, column } = attempt
    seen.set([verb, target, column].join('|'), { verb, target, column })
  }
  return [...seen.values()]
}
