import { expect, test } from 'vitest'
import type { Policy } from './published-tables.ts'
import { visibilityStatement } from './visibility.ts'

const conditionWith = (policies: readonly Policy[] | null) => {
  const table = {
    schema: 'public',
    table: 'notes',
    qualifiedName: 'public.notes',
    quotedName: 'notes',
    columns: [],
    policies,
  }
  return /where (.*)\) as visible/.exec(visibilityStatement(table, [{ id: 1 }]).text)?.[1]
}
const permissive = (expression: string) => ({ expression, isPermissive: true })
const restrictive = (expression: string) => ({ expression, isPermissive: false })

test('without row-level security the grant alone decides', () => {
  expect(conditionWith(null)).toBe('true')
})

test('with row-level security and no policy no row is visible', () => {
  expect(conditionWith([])).toBe('false')
  expect(conditionWith([restrictive('a')])).toBe('false')
})

test('one permissive policy is enough, every restrictive one must agree', () => {
  expect(conditionWith([permissive('a'), restrictive('b'), permissive('c'), restrictive('d')])).toBe(
    '((a) or (c)) and (b) and (d)',
  )
})

test('rows are bound, never written into the SQL', () => {
  const table = {
    schema: 'public',
    table: 'notes',
    qualifiedName: 'public.notes',
    quotedName: 'notes',
    columns: [],
    policies: null,
  }

  const statement = visibilityStatement(table, [{ note: "'; drop table notes" }])

  expect(statement.values).toEqual([`[{"note":"'; drop table notes"}]`])
  expect(statement.text).not.toContain('drop')
})
