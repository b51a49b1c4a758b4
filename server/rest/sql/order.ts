/** `order by` (PostgREST v16, Query/SqlFragment.hs, pgFmtOrderTerm). */
import type { LevelPlan, PlannedOrder } from '#rest/plan/level.ts'
import { conditionsSql, withinBudgetSql, whereSql } from './conditions.ts'
import { type Parameters, embedAlias, fieldSql, joinSql, tableName } from './parts.ts'

/** ` order by …` for the rows of that alias, or nothing without terms. */
export function orderSql(
  { order, selection }: Pick<LevelPlan, 'order' | 'selection'>,
  alias: string,
  parameters: Parameters,
): string {
  if (order.length === 0) return ''
  const terms = order.map((term) => {
    const { direction, nulls } = term
    const ordered = `${valueSql(term, selection, { alias, parameters })} ${direction}`
    return nulls === null ? ordered : `${ordered} nulls ${nulls}`
  })
  return ` order by ${terms.join(', ')}`
}

/** A condition for the rows to be ordered, where no index has them in that order. */
export function orderConditions({ order }: Pick<LevelPlan, 'order'>): string[] {
  return order.some(({ isExpensive }) => isExpensive) ? [withinBudgetSql('true')] : []
}

type Context = { alias: string; parameters: Parameters }

function valueSql(
  { field, entry }: PlannedOrder,
  selection: LevelPlan['selection'],
  { alias, parameters }: Context,
): string {
  const embed = entry === null ? undefined : selection[entry]
  if (entry === null || embed?.kind !== 'embed') return fieldSql(field, alias, parameters)
  // The embedded row's own value, under the conditions that it is embedded under.
  const inner = `${embedAlias(alias, entry)}_order`
  const value = fieldSql(field, inner, parameters)
  const { table, conditions } = embed.level
  const where = whereSql([
    joinSql(embed.relationship, { here: alias, there: inner }),
    ...conditionsSql(
      conditions.filter(({ kind }) => kind !== 'embed'),
      inner,
      parameters,
    ),
  ])
  return `(select ${value} from ${tableName(table)} as ${inner}${where})`
}
