/**
 * The filter operators, with their names in requests and in SQL (PostgREST v16, QueryParams.hs, pOpExpr;
 * Query/SqlFragment.hs). `in` and `is` take special values, so conditions.ts handles them. `match` and `imatch` are
 * refused, because matching a client's pattern could take forever. Full text search (`fts` and its variants) is
 * refused, because it would build a document from every row. The five range operators are not supported.
 */

/** Operators that compare a column with one value. */
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

/** Operators that accept several values with `any` or `all`: `eq(any).{a,b}`, `like(all).{a*,*b}`. */
export const quantifiable: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])

export type Quantifier = 'any' | 'all'

/** Refused operators, each with the name of its feature in the error message. */
export const refusedOperators: Readonly<Record<string, string>> = {
  match: 'Regular expressions',
  imatch: 'Regular expressions',
  fts: 'Full-text searches',
  plfts: 'Full-text searches',
  phfts: 'Full-text searches',
  wfts: 'Full-text searches',
}

/** The operands of `is`, with their SQL. */
export const states = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const

export type State = keyof typeof states

/**
 * Checks whether a parameter's value begins like a filter. A parameter whose value does not begin like a filter is an
 * argument of the called function.
 */
export function beginsAsFilter(text: string): boolean {
  const name = /^([a-z_]+)(?:\([\w $]*\))?\./.exec(text)?.[1] ?? ''
  return (
    name === 'not' ||
    name === 'in' ||
    name === 'is' ||
    Object.hasOwn({ ...comparisons, ...refusedOperators }, name)
  )
}
