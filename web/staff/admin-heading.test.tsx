import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { AdminHeading } from './admin-heading.tsx'

test.each([
  [{}, ['Hoy', 'Usuarios', 'Abonos por lote', 'Registro', 'Estado']],
  [
    { features: ['transferencias'] },
    ['Hoy', 'Usuarios', 'Abonos por lote', 'Solicitudes', 'Registro', 'Estado'],
  ],
  [{ hasApprovals: true }, ['Hoy', 'Usuarios', 'Abonos por lote', 'Solicitudes', 'Registro', 'Estado']],
] as const)('with the settings %j the sections of the administration are %j', async (settings, names) => {
  await serve(() => Response.json([]), settings)

  renderPart(
    <AddressProvider>
      <AdminHeading documentTitle="Admin" section="users" />
    </AddressProvider>,
  )

  const sections = screen.getByRole('navigation', { name: 'Secciones del panel' })
  expect(
    within(sections)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(names)
})
