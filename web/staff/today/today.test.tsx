import type { QueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { newsKey } from '#data/queries.ts'
import { queueKey } from '#staff/orders/requests.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
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
  facts: {
    balance: null,
    held: null,
    available_after: 20,
    has_sent: true,
    usual_max: 50,
    sent_recently: 3,
    transfers_today: 1,
    payee_since: null,
    access_acts: [],
  },
  ...change,
})

let client: QueryClient

const debt = { customers: 3, total: 51_342.98, owed: 151_380, overdrawn: 0, noted: -100_037.02, days: [] }

const day = {
  deposits: 0,
  deposited: 0,
  expenses: 0,
  spent: 0,
  corrections: 0,
  batches: 0,
  batched: 0,
  decisions: 0,
  others: 0,
  left_alone: null,
  unanswered: 0,
  unanswered_batch: null,
}

type Served = {
  requests?: object[]
  queue?: object
  list?: object
  waiting?: number
  alarms?: object[]
  done?: object
  sums?: () => Response
}

/** Opens the section, and returns the bodies of the reads of the list of customers. */
async function open({
  requests = [],
  queue = {},
  list = {},
  waiting = 0,
  alarms = [],
  done = {},
  sums = () => Response.json(debt),
}: Served = {}) {
  client = createQueryClient()
  const listed: unknown[] = []
  await serve(
    (path, body) => {
      if (path.endsWith('/list_waiting_requests'))
        return Response.json({
          total: requests.length,
          amount: 0,
          first_expires_at: requests.length === 0 ? null : new Date().toISOString(),
          requests,
          ...queue,
        })
      if (path.endsWith('/list_customers')) {
        listed.push(body)
        return Response.json({ total: 3, overdrawn: 0, blocked: 0, unconfirmed: 0, customers: [], ...list })
      }
      if (path.endsWith('/list_clearing')) return Response.json({ waiting, files: [] })
      if (path.endsWith('/read_bank_state')) return Response.json({ alarms })
      if (path.endsWith('/read_day_of_staff')) return Response.json({ ...day, ...done })
      if (path.endsWith('/sum_bank')) return sums()
      return undefined
    },
    { features: ['transferencias'] },
  )
  renderPart(
    <AddressProvider>
      <Today />
    </AddressProvider>,
    client,
  )
  return listed
}

test('the two requests that expire first are shown with their grounds and the sum of all requests', async () => {
  const soon = new Date(Date.now() + 5.5 * 3_600_000).toISOString()
  await open({
    requests: [request('a', {}), request('b', { expires_at: soon, risk: 2 }), request('c', {})],
    queue: { amount: 300, first_expires_at: soon },
  })

  const card = await screen.findByRole('region', { name: '3 solicitudes por decidir' })
  expect(card.textContent).toContain('$300.00 · la primera vence en 5 horas')
  expect(card.textContent).not.toContain('riesgosas')
  const [first, second, ...rest] = within(card)
    .getAllByRole('link', { name: /^Revisar / })
    .map((link) => link.closest('li')?.textContent)
  expect(first).toContain('Ana b')
  expect(first).toContain('Monto 2 veces lo usual')
  expect(first).toContain('Disponible después $20.00')
  expect(second).toContain('Ana a')
  expect(rest).toEqual([])
  expect(
    within(card)
      .getByRole('link', { name: /^Revisar .* Ana b / })
      .getAttribute('href'),
  ).toBe('/admin/solicitudes?solicitud=b')
})

test('the sum and the first expiry are those of all waiting requests, not only of those that were read', async () => {
  const first_expires_at = new Date(Date.now() + 2.5 * 3_600_000).toISOString()
  await open({ requests: [request('a', {})], queue: { total: 140, amount: 14_000, first_expires_at } })

  const card = await screen.findByRole('region', { name: '140 solicitudes por decidir' })
  expect(card.textContent).toContain('$14,000.00 · la primera vence en 2 horas')
  expect(card.textContent).toContain('De las 1 más riesgosas')
})

test('the section counts the customers without reading any of them', async () => {
  const listed = await open({ list: { blocked: 2 } })
  await screen.findByText('Personas con el acceso bloqueado')

  expect(listed).toEqual([{ rows_max: 0 }])
})

test('the number of waiting requests does not change the number of unread notifications', async () => {
  await open({ requests: [request('a', {})] })
  await screen.findByRole('region', { name: '1 solicitud por decidir' })

  expect(client.getQueryData(newsKey)).toBeUndefined()
  client.setQueryData(newsKey, { unread: 4, waiting: 7 })
  await client.invalidateQueries({ queryKey: queueKey })
  await waitFor(() => expect(client.getQueryData(newsKey)).toEqual({ unread: 4, waiting: 1 }))
})

test('a debt that cannot be read says so and can be read again', async () => {
  let answer = () => Response.json({ message: 'down' }, { status: 500 })
  await open({ sums: () => answer() })
  const plate = await screen.findByRole('region', { name: 'Lo que el banco debe' }, { timeout: 10_000 })
  expect(plate.textContent).toContain('No se pudo calcular.')
  answer = () => Response.json(debt)
  await userEvent.click(within(plate).getByRole('button', { name: 'Reintentar' }))

  expect(await screen.findByText('$151,380.00')).toBeDefined()
})

test('only the work that exists is listed, each kind with its number', async () => {
  await open({
    list: { overdrawn: 1, unconfirmed: 12 },
    waiting: 2,
    alarms: [{ ended_at: null }, { ended_at: '2026-11-20T12:00:00Z' }],
    done: { unanswered: 3, unanswered_batch: 'lote-1' },
  })

  const card = await screen.findByRole('region', { name: 'Para atender' })
  await within(card).findByText('Saldos negativos en el banco')
  await within(card).findByText('Alarmas abiertas del banco')
  await within(card).findByText(/sin archivo/)
  expect(
    within(card)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Alarmas abiertas del banco1',
    'Transferencias a otros bancos sin archivo de compensación2',
    'Saldos negativos en el banco1',
    'Invitaciones sin respuesta desde hace más de 3 días3',
    'Personas que no han confirmado su email12',
  ])
  expect(
    within(card)
      .getByRole('link', { name: /^Invitaciones/ })
      .getAttribute('href'),
  ).toBe('/admin/abonos?lote=lote-1')
})

test('the administrator’s acts of today are counted with their sums and with the amount that is left', async () => {
  await open({ done: { deposits: 3, deposited: 120.5, corrections: 1, decisions: 2, left_alone: 879.5 } })

  const card = await screen.findByRole('region', { name: 'Hoy por ti' })
  expect(
    within(card)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['3 depósitos$120.50', '1 corrección', '2 solicitudes decididas'])
  expect(card.textContent).toContain('Te quedan $879.50 hoy sin otra persona')
})

test('a day without acts says so, and a bank without the limit names no rest', async () => {
  await open()

  const card = await screen.findByRole('region', { name: 'Hoy por ti' })
  expect(within(card).getByText('Todavía nada.')).toBeDefined()
  expect(card.textContent).not.toContain('Te quedan')
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
    'Los saldos que ven los clientes suman $51,342.98: sus anotaciones restan $100,037.02 y no son dinero del banco.',
  )
})
