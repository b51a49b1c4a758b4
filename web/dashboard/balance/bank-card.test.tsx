import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BankCard } from './bank-card.tsx'

// tests/e2e/dashboard.test.ts tests the toast of a bank without transfers.
test('in a bank with transfers, the button opens the form for a new transfer', async () => {
  await serve(() => Response.json([]), { features: ['transferencias'] })

  renderPart(
    <AddressProvider>
      <BankCard userId="u" now={new Date()} className="" />
    </AddressProvider>,
  )

  const link = screen.getByRole('link', { name: 'Solicitar Transferencia' })
  expect(link.getAttribute('href')).toBe('/transferencias?nueva=1')
})
