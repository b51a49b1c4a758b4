import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { DecidedRequests } from './decided-requests.tsx'

test('the reason for a return is not shown as the reason of the administrator who approved the transfer', async () => {
  await open([{ status: 'returned', reason: 'Es un duplicado' }])

  expect((await screen.findByText(/Es un duplicado$/)).textContent).toBe(
    'Motivo de la devolución: Es un duplicado',
  )
})

test('an amount that cannot be read is not shown as zero', async () => {
  await open([{ status: 'done', amount: 'mucho' }])

  expect(await screen.findByText('No se pudieron cargar las solicitudes.')).toBeDefined()
  expect(screen.queryByText('$0.00')).toBeNull()
})

test('the next page begins after the last transfer of the previous page', async () => {
  const { asked } = await open(Array.from({ length: 50 }, () => ({ status: 'done' })))
  await userEvent.click(await screen.findByRole('button', { name: 'Mostrar más' }))

  await waitFor(() =>
    expect(asked).toEqual([
      { rows_max: 50 },
      { rows_max: 50, before_asked_at: '2026-11-20T12:00:00Z', before_id: '49' },
    ]),
  )
})

test('an administrator declines a scheduled transfer with a reason', async () => {
  const { decisions } = await open([
    { status: 'scheduled', payer: 'u1', obstacle: 'own' },
    { status: 'scheduled' },
  ])
  const buttons = await screen.findAllByRole('button', { name: /^Rechazar la transferencia / })
  // The administrator cannot decide about their own transfer.
  expect(buttons).toHaveLength(1)
  await userEvent.click(buttons[0] ?? document.body)
  await screen.findByRole('dialog', { name: 'Rechazar transferencia' })
  await userEvent.keyboard('Es un duplicado{Enter}')

  await waitFor(() => expect(decisions).toEqual([{ ids: ['1'], approve: false, reason: 'Es un duplicado' }]))
})

async function open(changes: Record<string, unknown>[]) {
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  const row = {
    asked_at: '2026-11-20T12:00:00Z',
    kind: 'transfer',
    payer: 'ana',
    payer_name: 'Ana',
    payer_document: null,
    payee: 'luis',
    payee_name: null,
    payee_document: null,
    amount: 10,
    risk: 0,
    obstacle: null,
    facts: null,
  }
  const decision = { decided_by: 'ines', decided_by_name: 'Inés Mora', reason: null }
  const rows = changes.map((change, index) => ({ id: String(index), ...row, ...decision, ...change }))
  const asked: unknown[] = []
  const decisions: unknown[] = []
  await serve((path, body) => {
    if (path === '/rest/v1/rpc/decide_requests') decisions.push(body)
    if (path !== '/rest/v1/rpc/list_decided_requests') return Response.json([])
    asked.push(body)
    return Response.json(asked.length === 1 ? rows : [])
  })
  renderPart(
    <AddressProvider>
      <DecidedRequests />
    </AddressProvider>,
  )
  return { asked, decisions }
}
