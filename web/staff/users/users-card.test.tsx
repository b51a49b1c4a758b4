import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { UsersCard } from './users-card.tsx'

test('the Tab key reaches the button for a new user before the filters, which open below it', async () => {
  await serve(() => new Promise(() => undefined))
  const nothing = () => undefined
  renderPart(
    <AddressProvider>
      <UsersCard onCreate={nothing} onTransaction={nothing} onRole={nothing} />
    </AddressProvider>,
  )
  const create = screen.getByRole('button', { name: 'Crear usuario' })

  for (const field of screen.getAllByRole('combobox'))
    expect(create.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})
