import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSelection, writeSelection } from './address.ts'
import { everything, type CategoryFilter } from './selection.ts'

test('what was selected is read back from its address', () => {
  const filter = fc.oneof(
    fc.constant<CategoryFilter>({ kind: 'all' }),
    fc.constant<CategoryFilter>({ kind: 'deposits' }),
    fc.string({ minLength: 1 }).map((name): CategoryFilter => ({ kind: 'category', name })),
  )
  const order = fc.constantFrom('date' as const, 'amount' as const, 'description' as const)
  const search = fc.string({ maxLength: 200 }).map((text) => text.trim())
  fc.assert(
    fc.property(search, filter, order, (...[words, chosen, sorted]) => {
      const selection = { search: words, filter: chosen, order: sorted }
      const address = writeSelection(new URLSearchParams(), selection).toString()

      expect(readSelection(new URLSearchParams(address))).toEqual(selection)
    }),
  )
})

test('the address is in Spanish and says only what was chosen', () => {
  const selection = { search: 'renta', filter: { kind: 'deposits' }, order: 'amount' } as const

  expect(writeSelection(new URLSearchParams(), selection).toString()).toBe(
    'buscar=renta&tipo=deposito&orden=monto',
  )
  expect(writeSelection(new URLSearchParams('buscar=x&orden=monto'), everything).toString()).toBe('')
})

test('an address that makes no sense selects everything', () => {
  expect(readSelection(new URLSearchParams('orden=otro&categoria=&tipo=nada'))).toEqual(everything)
})
