import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { OwnCard } from './own-card.tsx'

test('a category cannot be renamed if its transactions cannot be counted', async () => {
  await serve(() => new Response(null, { status: 403 }))
  renderWithToasts(<OwnCard userId="u" own={['Mascotas']} />)

  await userEvent.click(screen.getByRole('button', { name: 'Renombrar Mascotas' }))

  expect(await screen.findByText('No se pudo renombrar la categoría')).not.toBeNull()
})
