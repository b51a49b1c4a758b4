/** `where` and `order by` (PostgREST v16, Query/SqlFragment.hs, pgFmtFilter and pgFmtOrderTerm). */
import { restEmbeddedRowsMs, restExpensiveTestsMs } from '@finanzas/contract/limits.ts'
import { comparisons, states } from '#rest/parse/operators.ts'
import type { Test } from '#rest/parse/conditions.ts'
import type { Field } from '#rest/plan/field.ts'
import type { LevelPlan, PlannedCondition, PlannedOrder } from '#rest/plan/level.ts'
import { type Parameters, arrayLiteral, embedAlias, fieldSql, joinSql, tableName } from './parts.ts'

/** All conditions on the table of that alias, each to be joined with `and`. */
export function conditionsSql(
  conditions: readonly PlannedCondition[],
  alias: string,
  parameters: Parameters,
): string[] {
  return conditions.map((condition) => conditionSql(condition, alias, parameters))
}

/** ` where …` with everything that must hold, or nothing without anything. */
export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

function conditionSql(condition: PlannedCondition, alias: string, parameters: Parameters): string {
  switch (condition.kind) {
    case 'group': {
      const members = conditionsSql(condition.members, alias, parameters)
      return `${condition.isNegated ? 'not ' : ''}(${members.join(` ${condition.joiner} `)})`
    }
    case 'embed':
      return `${embedAlias(alias, condition.entry)}.json is ${condition.isPresent ? 'not ' : ''}null`
    case 'filter': {
      const { field, test, isNegated, isExpensive } = condition
      const comparison = testSql(field, test, { alias, parameters })
      return `${isNegated ? 'not ' : ''}${isExpensive ? withinBudgetSql(comparison) : comparison}`
    }
    default:
      return condition satisfies never
  }
}

/** The test, within the statement's time budget. In a `case`, because PostgreSQL orders the operands of `and` as it likes. */
function withinBudgetSql(test: string, budgetMs = restExpensiveTestsMs): string {
  return `case when rest.has_time(${budgetMs}) then ${test} end`
}

/** A condition for each row of many that are embedded in one. */
export const embeddedCondition = withinBudgetSql('true', restEmbeddedRowsMs)

type Context = { alias: string; parameters: Parameters }

function testSql(field: Field, test: Test, { alias, parameters }: Context): string {
  const value = fieldSql(field, alias, parameters)
  // One parameter for the whole list: lists of every length are one statement.
  if (test.operator === 'in') {
    return `${value} = any (${parameters.bind(arrayLiteral(test.values), castOf(field, '[]'))})`
  }
  if (test.operator === 'is') return `${value} ${states[test.value]}`
  const { operator, quantifier } = test
  const isPattern = operator === 'like' || operator === 'ilike'
  const operand = isPattern ? test.value.replaceAll('*', '%') : test.value
  const bound = parameters.bind(
    operand,
    operator in ordered ? castOf(field, quantifier === null ? '' : '[]') : undefined,
  )
  return `${value} ${comparisons[operator]} ${quantifier === null ? bound : `${quantifier} (${bound})`}`
}

const ordered = { eq: true, neq: true, gt: true, gte: true, lt: true, lte: true, isdistinct: true }

/** Types that mean the same with a cast as without: with one, a statement is prepared anew when its column changes. */
const plainTypes: ReadonlySet<string> = new Set([
  'uuid',
  'text',
  'integer',
  'bigint',
  'smallint',
  'numeric',
  'boolean',
  'date',
  'timestamp with time zone',
  'timestamp without time zone',
  'double precision',
  'real',
])

/** The cast of a value that the field is compared with; `undefined` where only PostgreSQL knows what upstream's literal is. */
function castOf({ column, path, isText }: Field, suffix: '' | '[]'): string | undefined {
  const type = path.length === 0 ? column.type : isText ? 'text' : 'jsonb'
  return path.length > 0 || plainTypes.has(type) ? `${type}${suffix}` : undefined
}

/** ` order by …` for the rows of that alias, or nothing without terms. */
export function orderSql(
  { order, selection }: Pick<LevelPlan, 'order' | 'selection'>,
  alias: string,
  parameters: Parameters,
): string {
  if (order.length === 0) return ''
  const terms = order.map((term) => {
    const { direction, nulls } = term
    const ordered = `${orderedSql(term, selection, { alias, parameters })} ${direction}`
    return nulls === null ? ordered : `${ordered} nulls ${nulls}`
  })
  return ` order by ${terms.join(', ')}`
}

/** A condition for the rows to be ordered, where no index has them in that order. */
export function orderConditions({ order }: Pick<LevelPlan, 'order'>): string[] {
  return order.some(({ isExpensive }) => isExpensive) ? [withinBudgetSql('true')] : []
}

function orderedSql(
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
