import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { queueKey, type Request } from './requests.ts'
import { WaitingRequests } from './waiting-requests.tsx'

let rows: Request[]
const decisions: unknown[] = []
const latestReads: unknown[] = []
const customerRow = {
  id: 'payer a',
  full_name: 'Ana a',
  email: 'ana@banco.example',
  role: 'user',
  account_number: '1',
  document_kind: 'CC',
  document_number: '1020304050',
  phone: null,
  created_at: '2026-01-05T15:00:00+00:00',
  confirmed_at: '2026-01-05T15:00:00+00:00',
  banned_until: null,
  block_reason: null,
  last_sign_in_at: null,
  email_change: null,
  has_second_factor: false,
  sessions: [],
  balance: 1234.5,
  booked: 1300,
  noted: -65.5,
  monthly_limit: null,
  month_spent: 0,
  largest: { deposit: null, expense: null },
  corrections: [],
}

/** The signed-in administrator, Laura, has the id `u1` and is the payee of the transfer `own`. */
beforeEach(async () => {
  history.replaceState(null, '', '/')
  decisions.length = 0
  latestReads.length = 0
  rows = [
    waiting('a', { risk: 7 }),
    waiting('b'),
    waiting('own', { payee: 'u1', obstacle: 'own' }),
    waiting('c'),
    waiting('d'),
  ]
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  await serve((path, body) => {
    if (path === '/rest/v1/rpc/list_waiting_requests')
      return Response.json({ total: rows.length, amount: 0, first_expires_at: null, requests: rows })
    if (path === '/rest/v1/rpc/cancel_request') {
      decisions.push(body)
      return Response.json({})
    }
    if (path === '/rest/v1/rpc/open_customer') return Response.json(customerRow)
    if (path === '/rest/v1/rpc/read_customer_transactions') {
      latestReads.push(body)
      return Response.json([transactionRow({ description: 'Nómina de noviembre' })])
    }
    if (path !== '/rest/v1/rpc/decide_requests') return undefined
    decisions.push(body)
    const { ids, approve } = body as { ids: string[]; approve: boolean }
    const decided = rows.filter(({ id }) => ids.includes(id))
    rows = rows.filter(({ id }) => !ids.includes(id))
    return Response.json(
      decided.map((row) => ({ ...row, status: approve ? 'done' : 'declined', decided_by: 'u1' })),
    )
  })
})

const noFacts = {
  balance: null,
  held: null,
  available_after: 20,
  has_sent: false,
  usual_max: null,
  sent_recently: 0,
  transfers_today: 1,
  payee_since: null,
  access_acts: [],
}

function waiting(id: string, change: Partial<Request> = {}): Request {
  return {
    id,
    kind: 'transfer',
    asked_by_name: null,
    about: null,
    about_name: null,
    details: null,
    clearing_file: null,
    status: 'waiting',
    asked_by: `payer ${id}`,
    asked_at: new Date().toISOString(),
    payer: `payer ${id}`,
    payer_name: `Ana ${id}`,
    payer_document: null,
    payee: 'luis',
    payee_name: null,
    payee_document: null,
    amount: 100.25,
    description: null,
    due_on: null,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    risk: 0,
    obstacle: null,
    is_stuck: false,
    first_approved_by_name: null,
    facts: noFacts,
    decided_by: null,
    decided_by_name: null,
    reason: null,
    ...change,
  }
}

async function open() {
  const client = createQueryClient()
  renderPart(
    <AddressProvider>
      <WaitingRequests />
      <Toaster />
    </AddressProvider>,
    client,
  )
  await screen.findAllByRole('checkbox')
  return client
}
const tick = (id: string) => screen.getByRole('checkbox', { name: new RegExp(`^Elegir .* Ana ${id} `) })
const chosen = () => screen.getAllByRole('checkbox').filter((box) => (box as HTMLInputElement).checked)

test('an administrator cannot decide their own transfer and sees the reason', async () => {
  await open()
  const row = screen.getByRole('link', { name: 'Ana own' }).closest('tr') ?? document.body

  expect(within(row).queryAllByRole('button')).toEqual([])
  expect(within(row).queryByRole('checkbox')).toBeNull()
  expect(row.textContent).toContain('Es tuya: la decide otra persona.')
})

test.each([
  ['keys', 'Abriste una cuenta de esta solicitud'],
  ['first', 'Ya la aprobaste'],
] as const)('the list says why an administrator cannot decide a transfer (%s)', async (obstacle, words) => {
  rows = [waiting('b'), waiting('other', { obstacle, first_approved_by_name: 'Inés Mora' })]
  await open()
  const row = screen.getByRole('link', { name: 'Ana other' }).closest('tr') ?? document.body

  expect(within(row).queryAllByRole('button')).toEqual([])
  expect(row.textContent).toContain(words)
  expect(row.textContent).toContain('Inés Mora ya la aprobó.')
  expect(row.textContent).not.toContain('vence sin decisión')
})

test('the list says when no administrator can decide a transfer', async () => {
  rows = [waiting('b'), waiting('stuck', { obstacle: 'keys', is_stuck: true })]
  await open()

  expect(screen.getAllByText(/^Nadie más puede decidirla: vence sin decisión\./)).toHaveLength(1)
})

test('a transfer to another bank shows the administrator the whole account', async () => {
  const details = {
    bank: '1007',
    kind: 'savings',
    number: '12345678901',
    document_kind: 'CC',
    document: '1020304050',
  }
  rows = [waiting('a', { payee: null, payee_name: 'Lucía Ñañez', details })]
  await open()
  const row = screen.getByRole('link', { name: 'Ana a' }).closest('tr') ?? document.body

  expect(row.textContent).toContain('Bancolombia · Ahorros 12345678901 · CC 1020304050')
  expect(within(row).queryByRole('link', { name: 'Lucía Ñañez' })).toBeNull()
})

test('the buttons of two transfers between the same people have different names', async () => {
  const [first = waiting('a')] = rows
  rows = [first, { ...first, id: 'e', amount: 50 }]
  await open()

  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  expect(names[0]).toMatch(/^Aprobar la transferencia de Ana a a Persona luis: \$100\.25, pedida el /)
  expect(new Set(names).size).toBe(4)
})

test('the row of an administrator’s act names the person concerned and the requester, and only the requester can cancel it', async () => {
  const act = { payer: null, payee: null, about: 'luis', about_name: 'Luis Mora', description: null }
  rows = [
    waiting('deposit', {
      ...act,
      kind: 'transaction',
      asked_by_name: 'Inés Mora',
      details: { type: 'deposit', description: 'Premio' },
      facts: { ...noFacts, balance: 16_739.34, held: 16_739.34 },
    }),
    waiting('role', {
      ...act,
      kind: 'promotion',
      asked_by: 'u1',
      asked_by_name: 'Laura',
      amount: null,
      obstacle: 'own',
      details: {},
    }),
  ]
  await open()
  const [deposit, role] = screen.getAllByRole('row').slice(1)

  expect(deposit?.textContent).toContain('Depósito a Luis MoraPremioLo pidió Inés Mora')
  expect(deposit?.textContent).toContain('$100.25')
  expect(deposit?.textContent).toContain('El saldo pasa de $16,739.34 a $16,839.59')
  expect(deposit?.textContent).toContain('Sobre el límite de un administrador')
  expect(role?.textContent).toContain('Da el poder de un administrador')
  expect(role?.textContent).toContain('Rol de administrador para Luis MoraLo pidió Laura')
  expect(role?.textContent).toContain('Sin monto')
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
    '2 solicitudes por decidir',
  )
  expect(screen.queryAllByRole('button', { name: /^Cancelar/ })).toHaveLength(1)
  await userEvent.click(
    screen.getByRole('button', { name: /^Cancelar el rol de administrador para Luis Mora: pedida el / }),
  )
  expect(await screen.findAllByText('Solicitud cancelada')).not.toEqual([])
  expect(decisions).toEqual([{ id: 'role' }])

  await userEvent.click(screen.getByRole('button', { name: /^Aprobar el depósito a Luis Mora: \$100\.25/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Aprobar solicitud' })
  expect(
    within(dialog).getByText('Se hace ahora. El registro muestra quién lo pidió y que tú lo aprobaste.'),
  ).toBeDefined()
})

test('a name shows the customer above the list and leads to the customer’s page', async () => {
  await open()
  await userEvent.click(screen.getByRole('link', { name: 'Ana a' }))

  const dialog = await screen.findByRole('dialog', { name: 'Ana a' })
  expect(await within(dialog).findByText('Nómina de noviembre')).toBeDefined()
  expect(dialog.textContent).toContain('$1,234.50$1,300.00 según el banco · -$65.50 en sus anotaciones')
  expect(dialog.textContent).toContain('CC 1020304050')
  expect(latestReads).toEqual([{ user_id: 'payer a', rows_max: 5 }])
  expect(within(dialog).getByRole('link', { name: 'Abrir su página' }).getAttribute('href')).toBe(
    '/admin/clientes/payer a',
  )
  await userEvent.keyboard('a{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ana a' }))
  expect(window.location.pathname).toBe('/')
})

test('a transfer shows what it leaves and the reason for each sign of risk', async () => {
  const facts = {
    balance: null,
    held: null,
    available_after: 16_239.34,
    has_sent: true,
    usual_max: 38,
    sent_recently: 3,
    transfers_today: 2,
    payee_since: '2026-11-28T15:00:00+00:00',
    access_acts: [],
  }
  rows = [
    waiting('a', { risk: 6, amount: 480, facts }),
    waiting('b', { risk: 2, facts: { ...facts, has_sent: false, usual_max: null, sent_recently: 0 } }),
    waiting('c', { risk: 0, facts }),
    waiting('d', { risk: 2, facts: { ...facts, usual_max: null, sent_recently: 0 } }),
    waiting('e', { risk: 0, facts: { ...facts, sent_recently: 2 } }),
    waiting('f', {
      facts: {
        ...facts,
        access_acts: [
          { act: 'begin_email_change', acted_at: '2026-11-27T15:00:00+00:00' },
          { act: 'send_link', acted_at: '2026-11-25T15:00:00+00:00' },
        ],
      },
    }),
  ]
  await open()
  const [a, b, c, d, e, f] = screen.getAllByRole('row').slice(1)

  expect(a?.textContent).toContain('Disponible después $16,239.34 · suele enviar hasta $38.00 · 2 hoy')
  expect(a?.textContent).toContain('Beneficiario nuevo: 28 nov')
  expect(a?.textContent).toContain('Monto 12 veces lo usual')
  expect(b?.textContent).toContain('Su primera transferencia')
  expect(b?.textContent).toContain('no ha enviado antes')
  expect(c?.textContent).toContain('Sin señales')
  expect(c?.textContent).toContain('beneficiario desde el 28 nov')
  expect(d?.textContent).toContain('no ha enviado en 90 días')
  expect(d?.textContent).not.toContain('Su primera transferencia')
  expect(d?.textContent).toContain('Monto inusual cuando la pidió')
  expect(e?.textContent).toContain('su mayor envío en 90 días: $38.00')
  expect(f?.textContent).toContain('Cambio de email: 27 novEnlace enviado: 25 nov')
  expect(f?.textContent).not.toContain('Sin señales')
})

test('the effect of an act on a balance is that on the balance of the bank, with the balance after notes beside it', async () => {
  const act = { payer: null, payee: null, about: 'luis', about_name: 'Luis Mora', description: null }
  const facts = { ...noFacts, balance: -12.5, held: 0 }
  rows = [
    waiting('deposit', { ...act, kind: 'transaction', details: { type: 'deposit' }, facts }),
    waiting('close', { ...act, kind: 'deletion', details: {}, facts }),
  ]
  await open()
  const [deposit, close] = screen.getAllByRole('row').slice(1)

  expect(deposit?.textContent).toContain(
    'El saldo en el banco pasa de $0.00 a $100.25 · con sus anotaciones, ahora -$12.50',
  )
  expect(close?.textContent).toContain('Saldo ahora en el banco $0.00 · con sus anotaciones, ahora -$12.50')
})

test('the dialog that declines shows the present balance, not the effect of an approval', async () => {
  const act = { payer: null, payee: null, about: 'luis', about_name: 'Luis Mora', description: null }
  rows = [
    waiting('deposit', {
      ...act,
      kind: 'transaction',
      details: { type: 'deposit' },
      facts: { ...noFacts, balance: 5, held: 5 },
    }),
    waiting('a'),
  ]
  await open()

  await userEvent.click(screen.getByRole('button', { name: /^Rechazar el depósito a Luis Mora/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Rechazar solicitud' })
  expect(dialog.textContent).toContain('Saldo ahora $5.00')
  expect(dialog.textContent).not.toContain('pasa de')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: /^Rechazar la transferencia de Ana a / }))
  const transfer = await screen.findByRole('dialog', { name: 'Rechazar transferencia' })
  expect(transfer.textContent).toContain('no ha enviado antes')
  expect(transfer.textContent).not.toContain('Disponible después')
})

test('a link to a request focuses its row, and says so when the request no longer waits', async () => {
  history.replaceState(null, '', '?solicitud=c')
  const client = await open()
  await waitFor(() => expect(document.activeElement).toBe(tick('c')))
  expect(screen.queryByText(/ya no espera/)).toBeNull()

  rows = rows.filter(({ id }) => id !== 'c')
  await client.invalidateQueries({ queryKey: queueKey })
  expect(
    await screen.findByText('La solicitud que buscabas ya no espera o no está en esta lista.'),
  ).toBeDefined()
})

test('no row of the queue leaves the cell of the risk empty', async () => {
  const act = { payer: null, payee: null, about: 'luis', about_name: 'Luis Mora', details: {} }
  rows = (
    [
      'transfer',
      'transaction',
      'correction',
      'batch',
      'deletion',
      'promotion',
      'demotion',
      'block',
      'return',
      'file_return',
    ] as const
  ).map((kind) => waiting(kind, kind === 'transfer' ? {} : { ...act, kind }))
  await open()
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('.queue-risk')?.textContent)

  expect(cells).toHaveLength(10)
  expect(cells.filter((words) => words === '')).toEqual([])
})

test('the rows of a demotion and of a block name the administrator, the reason and the duration', async () => {
  const act = { payer: null, payee: null, about: 'luis', about_name: 'Luis Mora', amount: null }
  const blocked = { ...act, kind: 'block' as const }
  rows = [
    waiting('role', { ...act, kind: 'demotion', details: {} }),
    waiting('day', { ...blocked, details: { reason: 'suspected_fraud', hours: 24 } }),
    waiting('good', { ...blocked, details: { reason: 'legal_order' } }),
  ]
  await open()
  const words = screen.getAllByRole('row').map(({ textContent }) => textContent)

  expect(words[1]).toContain('Quitar el rol de administrador a Luis Mora')
  expect(words[2]).toContain('Bloquear a Luis MoraPor 24 horas · Actividad sospechosa')
  expect(words[3]).toContain('Bloquear a Luis MoraHasta que se desbloquee · Orden de una autoridad')
  expect(screen.getAllByRole('button', { name: /^Aprobar el (fin del rol|bloqueo)/ })).toHaveLength(3)
})

test('the arrow keys move from row to row, and the key A approves the focused transfer after a confirmation', async () => {
  await open()
  tick('a').focus()
  await userEvent.keyboard('{ArrowDown}a')

  const dialog = await screen.findByRole('dialog', { name: 'Aprobar transferencia' })
  expect(within(dialog).getByText('Ana b a Persona luis')).toBeDefined()
  expect(decisions).toEqual([])
  await userEvent.keyboard('{Enter}')

  expect((await screen.findAllByText('Transferencia aprobada')).length).toBeGreaterThan(0)
  expect(decisions).toEqual([{ ids: ['b'], approve: true }])
})

test('after a decision, the next transfer has the focus', async () => {
  await open()
  tick('b').focus()
  await userEvent.keyboard('a')
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(document.activeElement).toBe(tick('c')))
})

test('after all transfers are deselected, the first transfer has the focus', async () => {
  await open()
  await userEvent.click(tick('b'))
  await userEvent.click(screen.getByRole('button', { name: 'Quitar selección' }))

  await waitFor(() => expect(document.activeElement).toBe(tick('a')))
})

test('after the chosen transfers are approved with the bar, the first remaining transfer has the focus', async () => {
  await open()
  await userEvent.click(tick('a'))
  await userEvent.click(tick('c'))
  await userEvent.click(screen.getByRole('button', { name: 'Aprobar' }))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(document.activeElement).toBe(tick('b')))
})

test('after a decision about one transfer, the other chosen transfers are still chosen', async () => {
  await open()
  await userEvent.click(tick('a'))
  await userEvent.click(tick('c'))
  await userEvent.click(screen.getByRole('button', { name: /^Aprobar la transferencia de Ana c / }))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(screen.queryByRole('checkbox', { name: / Ana c / })).toBeNull())
  expect(chosen()).toEqual([tick('a')])
  expect(screen.getByText('1 elegida por', { exact: false }).textContent).toBe('1 elegida por $100.25')
})

test('a range chosen with Shift skips the administrator’s own transfer, and the chosen transfers are declined together', async () => {
  await open()
  tick('a').focus()
  await userEvent.keyboard('{ArrowDown} {Shift>}{ArrowDown}{ArrowDown}{/Shift}')

  expect(chosen()).toEqual([tick('b'), tick('c'), tick('d')])
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}')
  expect(chosen()).toEqual([tick('b'), tick('c')])
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect(screen.getByText('3 elegidas por', { exact: false }).textContent).toBe('3 elegidas por $300.75')
  await userEvent.keyboard('r')
  await screen.findByRole('dialog', { name: 'Rechazar 3 transferencias' })
  await userEvent.click(screen.getByRole('button', { name: 'Rechazar · $300.75' }))
  expect(await screen.findByText('Escribe el motivo.')).toBeDefined()
  await userEvent.keyboard('Es un duplicado{Enter}')

  expect((await screen.findAllByText('3 transferencias rechazadas')).length).toBeGreaterThan(0)
  expect(decisions).toEqual([{ ids: ['b', 'c', 'd'], approve: false, reason: 'Es un duplicado' }])
})

test('a click with Shift chooses all transfers from the last clicked transfer to this one', async () => {
  await open()
  const user = userEvent.setup()
  await user.click(tick('d'))
  await user.keyboard('{Shift>}')
  await user.click(tick('b'))

  expect(chosen()).toEqual([tick('b'), tick('c'), tick('d')])
})

test('the page mentions that another administrator has decided a chosen transfer, and subtracts its amount from the sum', async () => {
  const client = await open()
  await userEvent.click(tick('a'))
  await userEvent.click(tick('b'))
  rows = rows.filter(({ id }) => id !== 'a')
  await client.invalidateQueries({ queryKey: queueKey })

  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      '1 elegida por $100.25 · 1 ya no espera',
    ),
  )
})
