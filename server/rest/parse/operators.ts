/**
 * Every filter operator on one page: its name on the wire, its sign in SQL (PostgREST v16,
 * QueryParams.hs, pOpExpr; Query/SqlFragment.hs). `in` and `is` have values of their own kind and stand in
 * conditions.ts. Refused on purpose: `match` and `imatch`, whose patterns a client could make run
 * for ever, and full text (`fts` and its kin), which makes a document of every row of the caller's as it is read. Left
 * out: the five operators that only ranges have.
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

/** Operators that may be held against several values: `eq(any).{a,b}`, `like(all).{a*,*b}`. */
export const quantifiable: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])

export type Quantifier = 'any' | 'all'

/** Refused operators, with a reader's name for them. */
export const refusedOperators: Readonly<Record<string, string>> = {
  match: 'Regular expressions',
  imatch: 'Regular expressions',
  fts: 'Full-text searches',
  plfts: 'Full-text searches',
  phfts: 'Full-text searches',
  wfts: 'Full-text searches',
}

/** States of `is`, and their SQL. */
export const states = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const

export type State = keyof typeof states

/** Whether the text begins as a filter does, which tells a filter from an argument of a function. */
export function beginsAsFilter(text: string): boolean {
  const name = /^([a-z_]+)(?:\([\w $]*\))?\./.exec(text)?.[1] ?? ''
  return (
    name === 'not' ||
    name === 'in' ||
    name === 'is' ||
    Object.hasOwn({ ...comparisons, ...refusedOperators }, name)
  )
}
