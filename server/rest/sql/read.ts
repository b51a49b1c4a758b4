/** A read: one page of rows, how many they are, and how many there would be without a page's bounds. */
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Format } from '#rest/parse/accept.ts'
import type { LevelPlan } from '#rest/plan/read.ts'
import { bodySql } from './body.ts'
import { conditionsSql, whereSql } from './conditions.ts'
import { orderConditions, orderSql } from './order.ts'
import type { Parameters } from './parts.ts'
import { project } from './select.ts'

/** What a read is made of, besides its level. */
export type ReadParts = {
  /** Where the rows come from, under the alias `t`. */
  readonly from: string
  /** How their number is answered, made of the number itself. */
  readonly rows: string
  readonly format: Format
  readonly countsTotal: boolean
}

/** The text of a read. */
export function readSql(level: LevelPlan, parts: ReadParts, parameters: Parameters): string {
  const { from, rows, format, countsTotal } = parts
  const projection = project(level, 't', parameters)
  const conditions = conditionsSql(level.conditions, 't', parameters)
  const where = whereSql(conditions)
  const wherePage = whereSql([...conditions, ...orderConditions(level)])
  const order = orderSql(level, 't', parameters)
  const limit = ` limit ${parameters.bind(level.limit ?? restRowsMax, 'bigint')}`
  const offset = level.offset === 0 ? '' : ` offset ${parameters.bind(level.offset, 'bigint')}`
  const page = `select ${projection.list} from ${from}${projection.joins}${wherePage}${order}${limit}${offset}`
  // Joins that leave no row out cost a count and change nothing.
  const counted = projection.isFiltered ? `${from}${projection.joins}` : from
  const total = countsTotal ? `, (select count(*) from ${counted}${where}) as total` : ''
  const body = bodySql(format, projection, { row: 'page', parameters })
  return `select ${body} as body, ${rows} as rows${total} from (${page}) as page`
}
