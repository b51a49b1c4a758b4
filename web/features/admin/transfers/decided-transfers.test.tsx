// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearPage, expiredSession, serve, sessionKey } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { DecidedTransfers } from './decided-transfers.tsx'

afterEach(clearPage)

test('the reason for a return is not shown as the reason of the administrator who approved the transfer', async () => {
  await open([{ status: 'returned', reason: 'Es un duplicado' }])

  expect((await screen.findByText(/Es un duplicado$/)).textContent).toBe(
    'Motivo de la devolución: Es un duplicado',
  )
})

test('a list with an unreadable amount shows no transfer for zero', async () => {
  await open([{ status: 'done', amount: 'mucho' }])

  expect(await screen.findByText('No se pudieron cargar las transferencias.')).toBeDefined()
  expect(screen.queryByText('$0.00')).toBeNull()
})

async function open(changes: Record<string, unknown>[]) {
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  const row = { asked_at: '2026-11-20T12:00:00Z', payer: 'ana', payee: 'luis', amount: 10, risk: 0 }
  const decision = { decided_by: 'ines', decided_by_name: 'Inés Mora', reason: null }
  const rows = changes.map((change, index) => ({ id: String(index), ...row, ...decision, ...change }))
  await serve((path) => Response.json(path === '/rest/v1/requests' ? rows : []))
  renderPart(
    <AddressProvider>
      <DecidedTransfers />
    </AddressProvider>,
  )
}
