/** Builds the `where` and `order by` clauses (PostgREST v16, Query/SqlFragment.hs, pgFmtFilter and pgFmtOrderTerm). */
import { restEmbeddedRowsMs, restExpensiveTestsMs } from '@finanzas/contract/limits.ts'
import { comparisons, states } from '#rest/parse/operators.ts'
import type { Test } from '#rest/parse/conditions.ts'
import type { Field } from '#rest/plan/field.ts'
import type { LevelPlan, PlannedCondition, PlannedOrder } from '#rest/plan/level.ts'
import { type Parameters, arrayLiteral, embedAlias, fieldSql, joinSql, tableName } from './parts.ts'

/**
 * Returns SQL for each condition on the table with this alias. The calling function must join the conditions with
 * `and`.
 */
export function conditionsSql(
  conditions: readonly PlannedCondition[],
  alias: string,
  parameters: Parameters,
): string[] {
  return conditions.map((condition) => conditionSql(condition, alias, parameters))
}

/** Returns ` where …` with all conditions, or an empty string if the list is empty. */
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

/**
 * Returns SQL that checks the statement's time budget before it evaluates the test. The SQL uses `case`, because
 * PostgreSQL may reorder the operands of `and`.
 */
function withinBudgetSql(test: string, budgetMs = restExpensiveTestsMs): string {
  return `case when rest.has_time(${budgetMs}) then ${test} end`
}

/** A condition that checks the time budget for each embedded row of a one-to-many relationship. */
export const embeddedCondition = withinBudgetSql('true', restEmbeddedRowsMs)

type Context = { alias: string; parameters: Parameters }

function testSql(field: Field, test: Test, { alias, parameters }: Context): string {
  const value = fieldSql(field, alias, parameters)
  // The whole list is bound as one parameter, so that lists of any length use the same statement.
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

/**
 * The types for which a cast does not change the result of a comparison. The cast makes the column's type part of the
 * statement's text. If the type changes, the database therefore prepares a new statement.
 */
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

/**
 * Returns the type to which to cast a value that is compared with the field. Returns `undefined` if PostgreSQL must
 * infer the type, as it does for upstream's literals.
 */
function castOf({ column, path, isText }: Field, suffix: '' | '[]'): string | undefined {
  const type = path.length === 0 ? column.type : isText ? 'text' : 'jsonb'
  return path.length > 0 || plainTypes.has(type) ? `${type}${suffix}` : undefined
}

/** Returns ` order by …` for the rows with this alias, or an empty string if the order has no terms. */
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

/** If rows must be sorted without a suitable index, returns a condition that limits the time for reading them. */
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
  // Reads the value from the embedded row, under the same conditions under which the row is embedded.
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
