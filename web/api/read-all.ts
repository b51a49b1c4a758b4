import { restRowsMax } from '@finanzas/contract/limits.ts'

/**
 * Reads the rows that follow `last`, at most `rowsMax` of them. `last` is undefined for the first page. A page that
 * continues after a row, instead of after a number of rows, does not shift when new rows appear.
 */
export type ReadAfter<Row> = (
  last: Row | undefined,
  page: { rowsMax: number; signal?: AbortSignal | undefined },
) => Promise<readonly Row[]>

/** Reads all rows of a list, page by page, until there are at least `max` rows. */
export async function readAll<Row>(
  read: ReadAfter<Row>,
  { max = Infinity }: { max?: number } = {},
): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < max) {
    const page = await read(rows.at(-1), { rowsMax: restRowsMax })
    rows.push(...page)
    if (page.length < restRowsMax) break
  }
  return rows
}
