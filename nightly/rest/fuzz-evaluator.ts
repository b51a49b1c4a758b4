/** Evaluates filters in memory. The tests compare the answers of the table API with the evaluator's results. */
import fc from 'fast-check'

/** A row in the form that the evaluator uses. */
export type PlainRow = {
  readonly id: string
  readonly amount: number
  readonly description: string
  readonly category: string | null
}

/**
 * A filter: its text in the URL, and a function that returns whether a row matches. `null` stands for SQL's unknown.
 */
export type Meaning = { readonly text: string; readonly holds: (row: PlainRow) => boolean | null }

const compare = {
  eq: (a: number | string, b: number | string) => a === b,
  neq: (a: number | string, b: number | string) => a !== b,
  gt: (a: number | string, b: number | string) => a > b,
  gte: (a: number | string, b: number | string) => a >= b,
  lt: (a: number | string, b: number | string) => a < b,
  lte: (a: number | string, b: number | string) => a <= b,
}

const words = ['Comida', 'Otros', 'Café', 'Arriendo']

const comparison = fc
  .tuple(
    fc.constantFrom(...(Object.keys(compare) as (keyof typeof compare)[])),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([operator, value]): Meaning => ({
    text: `amount.${operator}.${value}`,
    holds: ({ amount }) => compare[operator](amount, value),
  }))
const textual = fc
  .tuple(fc.constantFrom('description', 'category'), fc.constantFrom('eq', 'neq'), fc.constantFrom(...words))
  .map(([column, operator, value]): Meaning => ({
    text: `${column}.${operator}."${value}"`,
    holds: (row) => {
      const found = column === 'category' ? row.category : row.description
      return found === null ? null : compare[operator](found, value)
    },
  }))
const listed = fc.subarray(words, { minLength: 1 }).map((list): Meaning => ({
  text: `category.in.(${list.map((word) => `"${word}"`).join(',')})`,
  holds: ({ category }) => (category === null ? null : list.includes(category)),
}))
const empty = fc.constant<Meaning>({ text: 'category.is.null', holds: ({ category }) => category === null })
const distinct = fc.constantFrom(...words).map((word): Meaning => ({
  text: `category.isdistinct.${word}`,
  holds: ({ category }) => category !== word,
}))
const begins = fc.constantFrom('C', 'A', 'Co').map((start): Meaning => ({
  text: `description.like.${start}*`,
  holds: ({ description }) => description.startsWith(start),
}))

/** Random filters, negated filters, and logic trees of filters. */
export const { filter: meanings } = fc.letrec<{ filter: Meaning; leaf: Meaning }>((tie) => ({
  leaf: fc.oneof(comparison, textual, listed, empty, distinct, begins),
  filter: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    tie('leaf').map(({ text, holds }) => ({
      text: text.replace('.', '.not.'),
      holds: (row: PlainRow) => negated(holds(row)),
    })),
    fc
      .tuple(
        fc.constantFrom('and', 'or', 'not.and', 'not.or'),
        fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      )
      .map(([joiner, members]): Meaning => ({
        text: `${joiner}(${members.map(({ text }) => text).join(',')})`,
        holds: (row) => {
          const joined = join(
            members.map(({ holds }) => holds(row)),
            joiner.endsWith('and'),
          )
          return joiner.startsWith('not.') ? negated(joined) : joined
        },
      })),
  ),
}))

function negated(value: boolean | null): boolean | null {
  return value === null ? null : !value
}

/**
 * Combines values in SQL's three-valued logic. If one known value determines the result, the unknown values have no
 * effect.
 */
function join(values: readonly (boolean | null)[], isAnd: boolean): boolean | null {
  if (values.includes(!isAnd)) return !isAnd
  return values.includes(null) ? null : isAnd
}
