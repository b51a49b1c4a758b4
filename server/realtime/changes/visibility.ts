/**
 * Which callers may see a row, asked of the database: the table's own SELECT policies are evaluated on the row's
 * image, as the subscriber and with the subscriber's claims. That works for rows that are gone too, so a
 * DELETE is checked like the rest; upstream (walrus `apply_rls`) lets every DELETE pass.
 */
import type { Row, SqlStatement } from '#database/database.ts'
import type { Policy, PublishedTable } from './published-tables.ts'

/** Answers one row for each image, in their order. Has to run with the subscriber's rights. */
export function visibilityStatement(
  table: PublishedTable,
  images: readonly Row[],
): SqlStatement<{ visible: boolean }> {
  // The policy speaks of columns by their bare names. It stands in a query of its own, whose only
  // relation is the image under the table's name, so that no other name can come between.
  const text =
    `select exists (select from jsonb_populate_record(null::${table.qualifiedName}, images.image) ` +
    `as ${table.quotedName} where ${condition(table.policies)}) as visible ` +
    `from jsonb_array_elements($1::jsonb) with ordinality as images (image, place) order by place`
  return { text, values: [JSON.stringify(images)] }
}

/** As PostgreSQL combines policies: any of the permissive ones and each of the restrictive ones. */
function condition(policies: readonly Policy[] | null): string {
  if (policies === null) return 'true'
  const permissive = policies.filter(({ isPermissive }) => isPermissive)
  const restrictive = policies.filter(({ isPermissive }) => !isPermissive)
  if (permissive.length === 0) return 'false'
  const anyOf = permissive.map(({ expression }) => `(${expression})`).join(' or ')
  return [`(${anyOf})`, ...restrictive.map(({ expression }) => `(${expression})`)].join(' and ')
}
