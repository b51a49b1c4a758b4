/** `where` and `order by`. */
import type { Comparison, IsValue, Test } from './parse-conditions.ts'
import type { PlannedCondition, PlannedOrder } from './plan-conditions.ts'
import type { Column } from './schema.ts'
import { type Parameters, quote } from './sql-parts.ts'

const operators: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
}

const isTests: Record<IsValue, string> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
}

/** ` where …` with all conditions on the table of that alias, or nothing without any. */
export function whereSql(
  conditions: readonly PlannedCondition[],
  alias: string,
  parameters: Parameters,
): string {
  if (conditions.length === 0) return ''
  return ` where ${conditions.map((condition) => conditionSql(condition, alias, parameters)).join(' and ')}`
}

/** ` order by …`, or nothing without terms. */
export function orderSql(order: readonly PlannedOrder[], alias: string): string {
  if (order.length === 0) return ''
  const terms = order.map(({ column, direction, nulls }) => {
    const term = `${alias}.${quote(column.name)} ${direction}`
    return nulls === null ? term : `${term} nulls ${nulls}`
  })
  return ` order by ${terms.join(', ')}`
}

function conditionSql(condition: PlannedCondition, alias: string, parameters: Parameters): string {
  const negation = condition.isNegated ? 'not ' : ''
  if (condition.kind === 'group') {
    const members = condition.members.map((member) => conditionSql(member, alias, parameters))
    return `${negation}(${members.join(` ${condition.joiner} `)})`
  }
  const { column, test } = condition
  return `${negation}${alias}.${quote(column.name)} ${testSql(column, test, parameters)}`
}

function testSql(column: Column, test: Test, parameters: Parameters): string {
  switch (test.operator) {
    case 'is':
      return isTests[test.value]
    case 'in':
      // One parameter for the whole list: lists of every length are one statement.
      return `= any (${parameters.bind(arrayLiteral(test.values), `${column.type}[]`)})`
    case 'like':
    case 'ilike':
      return `${operators[test.operator]} ${parameters.bind(test.value.replaceAll('*', '%'), 'text')}`
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${operators[test.operator]} ${parameters.bind(test.value, column.type)}`
    default:
      return test satisfies never
  }
}

/** PostgreSQL's text form of an array, every value quoted. */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
