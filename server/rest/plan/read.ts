/**
 * Plans the read of a table and its embedded tables, level by level (PostgREST v16, Plan/ReadPlan.hs).
 */
import { restColumnsMax, restRowsMax, restSameColumnMax } from '@finanzas/contract/limits.ts'
import { restErrors } from '#rest/errors.ts'
import type { OrderTerm } from '#rest/parse/page.ts'
import type { Level } from '#rest/parse/query.ts'
import type { SelectEmbed, SelectItem } from '#rest/parse/select.ts'
import { impliedBounds, planConditions } from './conditions.ts'
import { planRelationship } from './embed.ts'
import { type Field, fieldOf, isColumn, planCast, planField } from './field.ts'
import { type LevelPlan, type PlannedOrder, type Selected, type Selection, areOwnNames } from './level.ts'
import type { Column, NamedTable, Schema, Table } from '#rest/schema/schema.ts'

/**
 * Plans one level and its embedded levels. Throws the errors 42703, 42704, 42712, and PGRST100, 108, 118, 120, 200, 201
 * and 205.
 */
export function planLevel(
  schema: Schema,
  table: Table,
  asked: { readonly items: readonly SelectItem[]; readonly level: Level },
): LevelPlan {
  const { items, level } = asked
  const selection = planSelection(schema, table, { items, levels: levelsOf(items, level.embedded) })
  const conditions = planConditions(table, selection, level.conditions)
  return {
    table,
    selection,
    conditions: [...conditions, ...impliedBounds(conditions)],
    order: planOrder(table, selection, level.order),
    limit: level.limit === null ? null : Math.min(level.limit, restRowsMax),
    offset: level.offset,
  }
}

/** Returns the table with this name. Throws PGRST205. */
export function tableOf(schema: Schema, name: string): NamedTable {
  const table = schema.tables.get(name)
  if (table === undefined) throw restErrors.noTable(name)
  return table
}

const nothing: Level = { conditions: [], order: [], limit: null, offset: 0, embedded: new Map() }

type Levels = ReadonlyMap<SelectEmbed, Level>

/**
 * Returns the query of each embedded table. A query may refer to the table by its alias or by its own name, as upstream
 * allows.
 */
function levelsOf(items: readonly SelectItem[], embedded: Level['embedded']): Levels {
  const levels = new Map<SelectEmbed, Level>()
  for (const [name, level] of embedded) {
    const embed = items.find((item) => item.kind === 'embed' && (item.alias === name || item.target === name))
    if (embed?.kind !== 'embed' || levels.has(embed)) throw restErrors.notEmbedded(name)
    levels.set(embed, level)
  }
  return levels
}

function planSelection(
  schema: Schema,
  table: Table,
  { items, levels }: { readonly items: readonly SelectItem[]; readonly levels: Levels },
): Selection {
  checkRelationships(schema, table, items)
  const selection = items.flatMap((item): Selected[] => {
    switch (item.kind) {
      case 'all':
        return [...table.columns.values()].map(fieldEntry)
      case 'field': {
        // If the table has no column `count`, PostgreSQL would read `t.count` as count(t), which is an aggregate.
        if (item.field.column === 'count' && !table.columns.has('count')) throw restErrors.aggregates()
        const field = planField(table, item.field)
        const cast = item.cast === null ? null : planCast(item.cast)
        return [{ kind: 'field', key: item.alias ?? nameOf(field), field, cast }]
      }
      case 'embed': {
        const relationship = planRelationship(table, item)
        const key = keyOf(item)
        const inner = { items: item.items, level: levels.get(item) ?? nothing }
        const planned = planLevel(schema, tableOf(schema, relationship.target), inner)
        return [{ kind: 'embed', key, relationship, isInner: item.isInner, level: planned }]
      }
      default:
        return item satisfies never
    }
  })
  const names = selection.flatMap((entry) => (entry.kind === 'embed' ? [entry.key] : []))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw restErrors.embeddedTwice(twice)
  // If any key is not the entry's own name, `json_build_object` must build the object. A function takes at most 100
  // arguments, and each entry needs two of them: a key and a value.
  if (selection.length > restColumnsMax && !areOwnNames(selection)) {
    throw restErrors.unparsable('The select list is too long', `at most ${restColumnsMax} entries`)
  }
  refuseRepeated(selection)
  return selection
}

/**
 * Checks the relationships of all levels before any columns are checked, as upstream does. Throws PGRST200, 201 and
 * 205.
 */
function checkRelationships(schema: Schema, table: Table, items: readonly SelectItem[]): void {
  for (const item of items) {
    if (item.kind === 'embed')
      checkRelationships(schema, tableOf(schema, planRelationship(table, item).target), item.items)
  }
}

/** Selects a column under its own name. */
export function fieldEntry(column: Column): Selected {
  return { kind: 'field', key: column.name, field: fieldOf(column), cast: null }
}

function refuseRepeated(selection: Selection): void {
  const names = selection.flatMap((entry) =>
    entry.kind === 'field' && entry.field.path.length === 0 ? [entry.field.column.name] : [],
  )
  for (const [name, times] of Map.groupBy(names, (each) => each)) {
    if (times.length > restSameColumnMax)
      throw restErrors.unparsable(`The select list repeats '${name}'`, `at most ${restSameColumnMax} times`)
  }
}

function keyOf({ alias, target }: Extract<SelectItem, { kind: 'embed' }>): string {
  return alias ?? target
}

/** Returns the last key in a JSON path, or the column's name if the path contains no keys, as upstream does. */
function nameOf({ column, path }: Field): string {
  const last = path.findLast((step) => 'key' in step)
  return last === undefined ? column.name : last.key
}

/**
 * Plans the client's order. Rows that are equal in this order are further ordered by the primary key, descending,
 * because pages could otherwise overlap. Throws 42703, PGRST108 and PGRST118.
 */
function planOrder(table: Table, selection: Selection, terms: readonly OrderTerm[]): readonly PlannedOrder[] {
  if (terms.length === 0) return []
  const wanted = terms.map((term) => planTerm(table, selection, term))
  const ties = table.primaryKey
    .filter(({ name }) => !wanted.some(({ entry, field }) => entry === null && isColumn(field, name)))
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
