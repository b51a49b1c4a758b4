/**
 * Numbers that come as text (security.md MO-02). PostgreSQL reads "0x1F", "1_000", "01" and " 1" as numbers, some only
 * from version 16 on; a text for a number is written here as JSON writes numbers, or it is refused.
 */
import { restErrors } from '#rest/errors.ts'
import type { Payload } from '#rest/parse/payload.ts'
import type { Column } from '#rest/schema/schema.ts'

const numberTypes: ReadonlySet<string> = new Set([
  'numeric',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Throws 22P02 for the first text with digits that is no number of JSON. Words are left to the database: "NaN" is one. */
export function refuseLooseNumbers(columns: readonly Column[], rows: Payload['rows']): void {
  for (const { name, type } of columns) {
    if (!numberTypes.has(type)) continue
    for (const row of rows) {
      const value = row[name]
      if (typeof value === 'string' && /\d/.test(value) && !jsonNumber.test(value))
        throw restErrors.notNumber(type, value)
    }
  }
}
