import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPart } from '#testing/render-part.tsx'
import { FilterBar } from './filter-bar.tsx'
import { everything } from './selection.ts'

test('a filter dialog that is opened before the history is read shows the history’s categories as soon as they are known', async () => {
  renderPart(<ReadLater />)
  await userEvent.click(screen.getByRole('button', { name: 'Filtros' }))
  await userEvent.click(await screen.findByLabelText('Depósitos'))
  expect(screen.queryByLabelText('Comida')).toBeNull()

  await userEvent.click(screen.getByText('Leer'))

  expect(screen.getByLabelText<HTMLInputElement>('Comida').checked).toBe(false)
  expect(screen.getByLabelText<HTMLInputElement>('Depósitos').checked).toBe(true)
})

function ReadLater() {
  const [categories, setCategories] = useState<readonly string[]>([])
  return (
    <>
      <FilterBar selection={everything} categories={categories} onChange={() => undefined} />
      <button type="button" onClick={() => setCategories(['Comida'])}>
        {'Leer'}
      </button>
    </>
  )
}
