/** The page of verdicts: `docs/authorization.md`, written by the test that made the attempts. */
import { type Actor, type Attempt, actorDescriptions } from '#supabase/authorization/permissions.ts'
import { whoMay } from '#supabase/authorization/who-may.ts'

/** An attempt and how it ended. */
export type Judged = { readonly attempt: Attempt; readonly verdict: string }

/** The whole page. Attempts that ended alike for everybody share a line. */
export function describeVerdicts(judged: readonly Judged[]): string {
  const actors = [...new Set(judged.map(({ attempt }) => attempt.actor))]
  const tables = [...new Set(judged.map(({ attempt }) => attempt.object))]
  return [
    '# Who may do what',
    '',
    'Every attempt that the authorization matrix makes over HTTP and on the realtime surface, and how it ends.',
    'Written by `tests/wire/authorization/matrix.test.ts`, which fails when this page says anything else; `npx vitest',
    'run --project authorization:pglite -u` writes it anew. What is permitted is the list below;',
    'everything else is refused or comes to nothing ([0029](decisions/0029-the-matrix-is-generated.md)).',
    '',
    `${judged.length} attempts: ${tables.length} objects, ${actors.length} who try.`,
    '',
    '## Permissions',
    '',
    ...whoMay.map((sentence) => `- ${sentence}`),
    '',
    '## Who tries',
    '',
    ...actors.map((actor) => `- *${actor}*: ${actorDescriptions[actor]}`),
    '',
    '`rows`: they saw, wrote or heard something. `nothing`: an answer without rows. `done`: accepted. Otherwise the',
    'status and the code of the refusal.',
    ...tables.flatMap((object) => [
      '',
      `## ${object}`,
      '',
      ...tableOf(
        judged.filter(({ attempt }) => attempt.object === object),
        actors,
      ),
    ]),
    '',
  ].join('\n')
}

function tableOf(judged: readonly Judged[], actors: readonly Actor[]): string[] {
  const lines = new Map<string, { verb: string; target: string; columns: string[]; verdicts: string[] }>()
  for (const { verb, target, column } of attemptsOnce(judged)) {
    const verdicts = actors.map(
      (actor) =>
        judged.find(
          ({ attempt }) =>
            attempt.actor === actor &&
            attempt.verb === verb &&
            attempt.target === target &&
            attempt.column === column,
        )?.verdict ?? '–',
    )
    const key = [verb, target, ...verdicts].join('|')
    const line = lines.get(key) ?? { verb, target, columns: [], verdicts }
    if (column !== null) line.columns.push(column)
    lines.set(key, line)
  }
  return [
    `| | ${actors.join(' | ')} |`,
    `|---|${actors.map(() => '---').join('|')}|`,
    ...[...lines.values()].map(
      ({ verb, target, columns, verdicts }) =>
        `| ${verb}${target === 'none' ? '' : ` ${target}`}${columns.length === 0 ? '' : `: ${columns.join(', ')}`} | ${verdicts.join(' | ')} |`,
    ),
  ]
}

function attemptsOnce(judged: readonly Judged[]): Omit<Attempt, 'actor' | 'object'>[] {
  const seen = new Map<string, Omit<Attempt, 'actor' | 'object'>>()
  for (const { attempt } of judged) {
    const { verb, target, column } = attempt
    seen.set([verb, target, column].join('|'), { verb, target, column })
  }
  return [...seen.values()]
}
