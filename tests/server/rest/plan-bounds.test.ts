import { expect, test } from 'vitest'
import { rawRequest, statementFor } from './example-schema.ts'

const whereOf = (query: string) =>
  / where (.*?) limit/
    .exec(statementFor(rawRequest(`books?${query}`)).text)?.[1]
    ?.replaceAll('t."', '"')
    .replaceAll(/::(?:timestamp with time zone|uuid|integer)/g, '')

test('a page by key says once more what all its members say of the first column', () => {
  expect(whereOf('or=(printed.lt.X,and(printed.eq.X,id.lt.Y))')).toBe(
    '("printed" < $1 or ("printed" = $2 and "id" < $3)) and "printed" <= $4',
  )
  expect(whereOf('or=(and(id.gt.Y,printed.eq.X),printed.gt.X)')).toBe(
    '(("id" > $1 and "printed" = $2) or "printed" > $3) and "printed" >= $4',
  )
})

test.each([
  'or=(printed.lt.X,printed.eq.Z)',
  'or=(printed.lt.X,printed.gt.X)',
  'or=(printed.lt.X,shelf.lt.X)',
  'or=(printed.lt.X,printed.not.eq.X)',
  'or=(printed.lt.X,and(printed.neq.X,id.lt.Y))',
  'or=(printed.lt.X,not.and(printed.eq.X,id.lt.Y))',
  'or=(printed.lt.X,printed.is.null)',
  'or=(facts->a.lt.X,facts->a.eq.X)',
  'or=(shelf.lt.X)',
  'not.or=(printed.lt.X,printed.eq.X)',
  'and=(printed.lt.X,printed.eq.X)',
])('%s implies no bound', (query) => {
  expect(whereOf(query)).not.toMatch(/[<>]= \$\d+$/)
})
