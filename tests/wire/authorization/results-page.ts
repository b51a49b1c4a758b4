/** `docs/authorization.md`: the outcome of every attempt, written by the test that made them. */
import { type Actor, type Attempt, actorDescriptions } from '#supabase/authorization/is-permitted.ts'
import { permissions } from '#supabase/authorization/permissions.ts'

export type AttemptResult = { readonly attempt: Attempt; readonly outcome: string }

/** The whole page. Attempts that ended alike for each actor share a line. */
export function resultsPage(results: readonly AttemptResult[]): string {
  const actors = [...new Set(results.map(({ attempt }) => attempt.actor))]
  const tables = [...new Set(results.map(({ attempt }) => attempt.object))]
  return [
    '# Who may do what',
    '',
    'Every attempt that the authorization matrix makes over HTTP and on the realtime surface, and how it ends.',
    'Written by `tests/wire/authorization/matrix.test.ts`, which fails when this page says anything else; `npx vitest',
    'run --project authorization:pglite -u` writes it anew. What is permitted is the list below;',
    'everything else is refused or comes to nothing ([0029](decisions/0029-the-matrix-is-generated.md)).',
    '',
    `${results.length} attempts: ${tables.length} objects, ${actors.length} who try.`,
    '',
    '## Permissions',
    '',
    ...permissions.map((sentence) => `- ${sentence}`),
    '',
    '## Who tries',
    '',
    ...actors.map((actor) => `- *${actor}*: ${actorDescriptions[actor]}`),
    '',
    '`rows`: something was seen, written or received. `nothing`: an answer without rows. `done`: accepted. Otherwise the',
    'status and the code of the refusal.',
    ...tables.flatMap((object) => [
      '',
      `## ${object}`,
      '',
      ...tableOf(
        results.filter(({ attempt }) => attempt.object === object),
        actors,
      ),
    ]),
    '',
  ].join('\n')
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
    `| | ${actors.join(' | ')} |`,
    `|---|${actors.map(() => '---').join('|')}|`,
    ...[...lines.values()].map(
      ({ verb, target, columns, outcomes }) =>
        `| ${verb}${target === 'none' ? '' : ` ${target}`}${columns.length === 0 ? '' : `: ${columns.join(', ')}`} | ${outcomes.join(' | ')} |`,
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
