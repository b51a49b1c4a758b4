/** An order on fields that exist, which leaves no two rows equal. */
import { restErrors } from '#rest/errors.ts'
import type { OrderTerm } from '#rest/parse/order.ts'
import { type Field, fieldOf, planField } from './field.ts'
import type { PlannedOrder, Selection } from './level.ts'
import type { Table } from '#rest/schema/schema.ts'

/**
 * The order that the client wants, and the primary key downwards where it leaves rows equal: pages that
 * are read one after the other would otherwise overlap.
 * Throws 42703, PGRST108 and PGRST118.
 */
export function planOrder(
  table: Table,
  selection: Selection,
  terms: readonly OrderTerm[],
): readonly PlannedOrder[] {
  if (terms.length === 0) return []
  const wanted = terms.map((term) => planTerm(table, selection, term))
  const ties = table.primaryKey
    .filter((column) => !wanted.some(({ entry, field }) => entry === null && isWhole(field, column.name)))
    .map((column): PlannedOrder => ({
      field: fieldOf(column),
      isExpensive: false,
      entry: null,
      direction: 'desc',
      nulls: null,
    }))
  return [...wanted, ...ties]
}

function planTerm(
  table: Table,
  selection: Selection,
  { embedded, field, direction, nulls }: OrderTerm,
): PlannedOrder {
  if (embedded === null) {
    const planned = planField(table, field)
    const isExpensive = planned.path.length > 0 || !table.indexedColumns.has(planned.column.name)
    return { field: planned, isExpensive, entry: null, direction, nulls }
  }
  const entry = selection.findIndex(({ kind, key }) => kind === 'embed' && key === embedded)
  const embed = selection[entry]
  if (embed?.kind !== 'embed') throw restErrors.notEmbedded(embedded)
  if (!embed.relationship.isToOne) throw restErrors.relatedOrder(table.name, embedded)
  return { field: planField(embed.level.table, field), isExpensive: true, entry, direction, nulls }
}

function isWhole({ column, path }: Field, name: string): boolean {
  return path.length === 0 && column.name === name
}
