import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { AdminPage } from './admin-page.tsx'

test.each([
  ['hoy', 'Cargando el trabajo de hoy…'],
  ['registro', 'Cargando el registro…'],
  ['deuda', 'Cargando lo que el banco debe…'],
])('while the section %s loads, the page says so', async (view, words) => {
  history.replaceState(null, '', `/admin?vista=${view}`)
  await serve(() => undefined)

  renderPart(
    <AddressProvider>
      <AdminPage />
    </AddressProvider>,
  )

  expect(screen.getByText(words)).toBeDefined()
})
