import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Today } from './today.tsx'

const request = (id: string, change: object) => ({
  id,
  kind: 'transfer',
  status: 'waiting',
  asked_by: 'p',
  asked_at: new Date().toISOString(),
  payer: `payer ${id}`,
  payer_name: `Ana ${id}`,
  payer_document: null,
  payee: 'luis',
  payee_name: 'Luis',
  payee_document: null,
  amount: 100,
  description: null,
  due_on: null,
  expires_at: new Date(Date.now() + 50 * 3_600_000).toISOString(),
  risk: 0,
  obstacle: null,
  details: null,
  first_approved_by_name: null,
  facts: { balance: null, available_after: 20, usual_max: 50, transfers_today: 1, payee_since: null },
  ...change,
})

async function open({ requests = [] as object[], list = {}, waiting = 0, alarms = [] as object[] } = {}) {
  await serve(
    (path) => {
      if (path.endsWith('/list_waiting_requests')) return Response.json({ total: requests.length, requests })
      if (path.endsWith('/list_customers'))
        return Response.json({ total: 3, overdrawn: 0, blocked: 0, unconfirmed: 0, customers: [], ...list })
      if (path.endsWith('/list_clearing')) return Response.json({ waiting, files: [] })
      if (path.endsWith('/read_bank_state')) return Response.json({ alarms })
      if (path.endsWith('/sum_bank'))
        return Response.json({
          customers: 3,
          total: 51_342.98,
          owed: 151_380,
          overdrawn: 0,
          noted: -100_037.02,
          days: [],
        })
      return undefined
    },
    { features: ['transferencias'] },
  )
  renderPart(
    <AddressProvider>
      <Today />
    </AddressProvider>,
  )
}

test('the two requests that expire first are shown with their grounds and the sum of all requests', async () => {
  const soon = new Date(Date.now() + 5.5 * 3_600_000).toISOString()
  await open({ requests: [request('a', {}), request('b', { expires_at: soon, risk: 2 }), request('c', {})] })

  const card = await screen.findByRole('region', { name: '3 solicitudes por decidir' })
  expect(card.textContent).toContain('$300.00 · la primera vence en 5 horas')
  const [first, second, ...rest] = within(card)
    .getAllByRole('link', { name: /^Revisar / })
    .map((link) => link.closest('li')?.textContent)
  expect(first).toContain('Ana b')
  expect(first).toContain('Monto 2 veces lo usual')
  expect(first).toContain('Disponible después $20.00')
  expect(second).toContain('Ana a')
  expect(rest).toEqual([])
})

test('only the work that exists is listed, each kind with its number', async () => {
  await open({
    list: { overdrawn: 1, unconfirmed: 12 },
    waiting: 2,
    alarms: [{ ended_at: null }, { ended_at: '2026-11-20T12:00:00Z' }],
  })

  const card = await screen.findByRole('region', { name: 'Para atender' })
  await within(card).findByText('Saldos negativos')
  await within(card).findByText('Alarmas abiertas del banco')
  await within(card).findByText(/sin archivo/)
  expect(
    within(card)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Alarmas abiertas del banco1',
    'Transferencias a otros bancos sin archivo de compensación2',
    'Saldos negativos1',
    'Personas que no han confirmado su email12',
  ])
})

test('without work, the section says that nothing waits', async () => {
  await open()

  expect(await screen.findByText('No hay solicitudes por decidir.')).toBeDefined()
  expect(await screen.findByText('Nada por atender.')).toBeDefined()
})

test('the debt of the bank stands with the sum of the balances and of the customers’ notes', async () => {
  await open()

  const plate = await screen.findByRole('region', { name: 'Lo que el banco debe' })
  expect(plate.textContent).toContain('Lo que el banco debe · 3 cuentas$151,380.00')
  expect(plate.textContent).toContain(
    'Los saldos que ven los clientes suman $51,342.98: sus anotaciones suman -$100,037.02 y no son dinero del banco.',
  )
})
