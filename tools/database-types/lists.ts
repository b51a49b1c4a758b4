// Generates the lists that the database and the page share, from the rows and constraints of a migrated database.
import { type Owner, sql } from '#server/database/database.ts'
import type { Schema } from '#server/rest/schema/schema.ts'
import type { ColumnRules } from './column-rules.ts'

/** Returns the texts of the lists before they are formatted. The page loads the banks only where a customer picks one. */
export async function listsOf(
  owner: Owner,
  { tables }: Schema,
  rules: ColumnRules,
): Promise<{ lists: string; banks: string }> {
  const [row] = await owner.query(sql<{
    reasons: string[]
    paper_reasons: string[]
    banks: [string, string][]
  }>`
    select to_jsonb(private.block_reasons()) as reasons, to_jsonb(private.paper_reasons()) as paper_reasons, (
      select jsonb_agg(jsonb_build_array(b.code, b.name) order by b.code) from private.clearing_banks b
    ) as banks`)
  const documentKinds = rules.valuesOf('account_holders', 'document_kind')
  const columns = tables.get('transactions')?.columns
  if (row === undefined || documentKinds === null || columns === undefined)
    throw new Error('A list is missing in the database.')
  return {
    lists: `
/** Columns of a transaction. */
export const transactionColumns = ${JSON.stringify([...columns.keys()])} as const

/** Maximum lengths of texts in code points, by table and column (check constraints of schema \`public\`). */
export type TextLengthMax = ${JSON.stringify(rules.lengthsMax())}

/** Kinds of identity documents (\`public.account_holders.document_kind\`). */
export const documentKinds = ${JSON.stringify(documentKinds)} as const
export type DocumentKind = (typeof documentKinds)[number]

/** Reasons why a person is blocked (\`private.block_reasons\`). */
export type BlockReason = ${row.reasons.map((reason) => JSON.stringify(reason)).join(' | ')}

/** Reasons why staff make a paper for a customer (\`private.paper_reasons\`). */
export const paperReasons = ${JSON.stringify(row.paper_reasons)} as const
export type PaperReason = (typeof paperReasons)[number]
`,
    banks: `/**
 * The banks that a customer can pay, by their codes in the Colombian clearing (\`private.clearing_banks\`).
 * \`npm run types\` generates this file; a test fails when the file is out of date.
 */
export const banks: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(row.banks))}
`,
  }
}
