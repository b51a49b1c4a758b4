/**
 * The statements of a migration with which the servers of the release before it cannot work. During a rolling upgrade,
 * these servers still answer requests on the migrated database.
 */
import { statementsOf } from '#tools/schema/statements.ts'

/** A kind of statement, and the reason why the older servers cannot work with it. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/^drop (?:table|view|function|procedure|type|domain|schema|sequence|role)\b/, 'they use the object'],
  [
    /^alter table .*\bdrop (?:column\b|(?!constraint\b|not null\b|default\b|identity\b)\w+)/,
    'they use the column',
  ],
  [/^alter .*\brename\b/, 'they use the old name'],
  [/^alter .*\bset schema\b/, 'they use the old name'],
  [/^alter table .*\balter (?:column )?\S+ (?:set data )?type\b/, 'they write the old type'],
  [/^alter table .*\balter (?:column )?\S+ set not null\b/, 'they may write null'],
  [/^alter table .*\balter (?:column )?\S+ drop default\b/, 'they do not write the column'],
  [/^alter type .*\b(?:drop|alter) attribute\b/, 'they read the attribute'],
  [/^revoke\b/, 'they use the right'],
]

/** Returns the statements that break the servers of the release before, with the reason. */
export function statementsThatBreak(migration: string): string[] {
  return statementsOf(migration).flatMap((statement) => {
    const line = statement
      .replaceAll(/'(?:[^']|'')*'/g, "''")
      .replaceAll(/\s+/g, ' ')
      .toLowerCase()
    const reason = forbidden.find(([pattern]) => pattern.test(line))?.[1] ?? reasonOfColumns(line)
    return reason === null ? [] : [`${line.slice(0, 100)}: ${reason}`]
  })
}

/** A new column needs a value in the rows that the older servers insert. */
function reasonOfColumns(line: string): string | null {
  if (!line.startsWith('alter table ')) return null
  const added = line.split(/\badd (?:column )?(?!constraint\b|check\b|primary\b|unique\b|foreign\b)/).slice(1)
  return added.some((column) => /\bnot null\b/.test(column) && !/\b(?:default|generated)\b/.test(column))
    ? 'they do not write the new column'
    : null
}
