import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { act } from 'react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { accountRow, beneficiaryRow, transferRow } from '#testing/transfer-rows.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { TransfersPage } from './transfers-page.tsx'

test('if the bank decides about a transfer while its details are open, the details show the decision', async () => {
  const waiting = transferRow()
  let ended: object[] = []
  await serve((path, _, { query }) => {
    if (path.endsWith('transfer_account')) return Response.json(accountRow())
    if (!path.endsWith('requests')) return Response.json([])
    const open = ended.length === 0 ? [waiting] : []
    return Response.json(query.includes('status=in') ? open : ended)
  })
  const client = createQueryClient()
  renderPart(
    <AddressProvider>
      <TransfersPage />
    </AddressProvider>,
    client,
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Laura: / }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Espera la aprobación del banco')).not.toBeNull()

  ended = [{ ...waiting, status: 'declined', reason: 'Monto inusual', ended_at: '2026-11-21T15:00:00+00:00' }]
  await act(() => client.invalidateQueries())
  expect(await within(dialog).findByText('Monto inusual')).not.toBeNull()
  expect(within(dialog).queryByText('Espera la aprobación del banco')).toBeNull()
})

test('the page tells a customer whose password the bank typed to choose one, and mails the link', async () => {
  const asked: unknown[] = []
  await serve((path, body) => {
    if (path.endsWith('transfer_account')) return Response.json(accountRow({ needs_own_password: true }))
    if (!path.endsWith('recover')) return Response.json([])
    asked.push(body)
    return Response.json({})
  })
  renderPart(
    <AddressProvider>
      <TransfersPage />
      <Toaster />
    </AddressProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: '¿Olvidaste tu contraseña?' }))

  expect(await screen.findByText('Revisa tu correo')).not.toBeNull()
  expect(asked).toMatchObject([{ email: expect.stringContaining('@') as string }])
  expect(screen.getByText(/elige una que solo tú conozcas/)).not.toBeNull()
  const add = screen.getByRole('button', { name: 'Nueva transferencia' })
  expect(add.getAttribute('aria-disabled')).toBe('true')
})

test('the name of a beneficiary has the focus after the confirmation', async () => {
  let zoe = beneficiaryRow({ name: 'Zoé', confirmed_at: null })
  await serve((path) => {
    if (path.endsWith('transfer_account')) return Response.json(accountRow())
    if (path.endsWith('beneficiaries')) return Response.json([zoe])
    if (!path.endsWith('confirm_beneficiary')) return Response.json([])
    zoe = { ...zoe, confirmed_at: '2026-11-21T15:00:00+00:00', payee_name: 'Z•••' }
    return Response.json(zoe)
  })
  renderPart(
    <AddressProvider>
      <TransfersPage />
    </AddressProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Confirmar a Zoé/ }))

  expect(await screen.findByText('En el banco: Z•••')).not.toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Zoé'))
})
