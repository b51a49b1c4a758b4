/**
 * All filter operators: their names on the wire and in SQL (PostgREST v16, QueryParams.hs, pOpExpr;
 * Query/SqlFragment.hs). `in` and `is` have special values and are in conditions.ts. Refuses `match` and `imatch`,
 * because a client's pattern could run forever. Refuses full text search (`fts` and its variants), because it would
 * build a document from every row. Does not support the five operators for ranges.
 */

/** Operators between a column and one value. */
export const comparisons = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
} as const

export type Comparison = keyof typeof comparisons

/** Operators that accept several values: `eq(any).{a,b}`, `like(all).{a*,*b}`. */
export const quantifiable: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])

export type Quantifier = 'any' | 'all'

/** Refused operators, with their names in the message. */
export const refusedOperators: Readonly<Record<string, string>> = {
  match: 'Regular expressions',
  imatch: 'Regular expressions',
  fts: 'Full-text searches',
  plfts: 'Full-text searches',
  phfts: 'Full-text searches',
  wfts: 'Full-text searches',
}

/** Operands of `is`, and their SQL. */
export const states = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const

export type State = keyof typeof states

/** Checks whether the text begins like a filter. Otherwise it is an argument of a function. */
export function beginsAsFilter(text: string): boolean {
  const name = /^([a-z_]+)(?:\([\w $]*\))?\./.exec(text)?.[1] ?? ''
  return (
    name === 'not' ||
    name === 'in' ||
    name === 'is' ||
    Object.hasOwn({ ...comparisons, ...refusedOperators }, name)
  )
}
