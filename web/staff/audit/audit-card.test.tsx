import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import type { AuditEntry } from './audit.ts'
import { AuditCard } from './audit-card.tsx'
import { auditCsv } from './audit-csv.ts'

afterEach(() => {
  clearPage()
  history.replaceState(null, '', '/')
})

const laura = '6f1c7a52-0b1d-4b8e-9a53-2f2f6f1c7a52'
const entry = {
  recorded_at: '2026-11-23T12:00:00Z',
  origin: 'person',
  actor: 'a',
  actor_name: 'Marta Ríos',
  session_id: 's',
  hash: 'ab12',
  before: null,
}
const entries = [
  {
    ...entry,
    id: 2,
    action: 'register_batch',
    target: null,
    target_name: null,
    after: { id: 'b', lines: 3, amount: '60.00' },
  },
  { ...entry, id: 1, action: 'read_customer', target: 'c', target_name: 'Laura', after: null },
]

const show = (person?: string) =>
  renderPart(
    <AddressProvider>
      <AuditCard {...(person !== undefined && { person })} />
    </AddressProvider>,
  )

test('an audit entry about a person shows the person’s name', async () => {
  await serve((path) => (path.endsWith('/audit_of') ? Response.json(entries) : undefined))
  show()
  const [, batch, reading] = await screen.findAllByRole('row')

  expect(cells(batch)).toEqual(['Quién: Marta Ríos', 'Lote de abonos', '', '3 abonos por $60.00'])
  expect(cells(reading)[2]).toBe('A quién: Laura')
})

test('the entry of a block says how long it lasts, whatever its reason', async () => {
  const after = { reason: 'other', banned_until: '2126-11-22T11:08:00+00:00' }
  const block = { ...entries[1], action: 'ban_user', after }
  await serve((path) => (path.endsWith('/audit_of') ? Response.json([block]) : undefined))
  show()
  const [, row] = await screen.findAllByRole('row')

  expect(cells(row)[3]).toMatch(/^Bloquead.* · Otro motivo$/)
})

test('a customer’s audit entries say how many deposits a batch had and how many transactions a search found', async () => {
  const rows = [
    { ...entries[0], after: { id: 'b', lines: 1, amount: '12.50' } },
    { ...entries[0], id: 3, action: 'search_transactions', after: { lines: 8 } },
  ]
  await serve((path) => (path.endsWith('/audit_of') ? Response.json(rows) : undefined))
  show()
  const [, batch, search] = await screen.findAllByRole('row')

  expect([cells(batch)[3], cells(search)[3]]).toEqual(['1 abono por $12.50', '8 movimientos'])
})

test('the audit entry of a paper that staff made for a customer says why and for which month', async () => {
  const about = { ...entry, target: 'c', target_name: 'Laura' }
  const rows = [
    { ...about, id: 3, action: 'issue_statement', after: { month: '2026-10', reason: 'authority' } },
    { ...about, id: 2, action: 'issue_receipt', after: { id: 't', reason: 'in_person' } },
  ]
  await serve((path) => (path.endsWith('/audit_of') ? Response.json(rows) : undefined))
  show()
  const [, statement, receipt] = await screen.findAllByRole('row')

  expect(cells(statement).slice(1)).toEqual([
    'Extracto para un cliente',
    'A quién: Laura',
    'octubre de 2026 · Lo pidió una autoridad',
  ])
  expect(cells(receipt)[3]).toBe('Lo pidió en el mostrador')
})

test('the audit entries of both customers of a transfer show its amount', async () => {
  const decision = { ...entry, action: 'decide_request', target: 'c', target_name: 'Laura' }
  await serve((path) =>
    path.endsWith('/audit_of')
      ? Response.json([
          { ...decision, id: 2, after: { id: 'r', decision: 'declined', amount: '70.00' } },
          { ...decision, id: 1, after: { id: 'r', lines: 1, amount: '70.00' } },
        ])
      : undefined,
  )
  show()
  const [, payer, payee] = await screen.findAllByRole('row')

  expect(cells(payer).slice(1)).toEqual([
    'Decisión sobre una solicitud',
    'A quién: Laura',
    'Rechazada, por $70.00',
  ])
  expect(cells(payee).at(-1)).toBe('Por $70.00')
})

test('a filter narrows the audit entries and is stored in the URL', async () => {
  const read: string[] = []
  await serve((path, _, { query }) => {
    if (path.endsWith('/list_customers'))
      return Response.json({ customers: [{ id: laura, full_name: 'Laura', email: 'l@b.co' }] })
    if (path.endsWith('/find_customers'))
      return Response.json([{ name: laura, id: laura, full_name: 'Laura', email: 'l@b.co' }])
    if (path.endsWith('/audit_of')) read.push(query)
    return Response.json([])
  })
  show()
  await screen.findByText('No hay cambios.')

  await userEvent.selectOptions(screen.getByLabelText('Acción'), 'Lote de abonos')
  fireEvent.change(screen.getByLabelText('Hasta'), { target: { value: '2026-11-30' } })
  const person = screen.getByLabelText<HTMLInputElement>('Persona')
  await userEvent.type(person, 'l@b.co')

  await screen.findByText('Nada en el registro coincide con estos filtros.')
  await waitFor(() => expect(read.at(-1)).toContain(`user_id=${laura}`))
  const last = new URLSearchParams(read.at(-1))
  expect([last.get('action'), last.get('until')]).toEqual(['register_batch', '2026-12-01T00:00:00-05:00'])
  expect(location.search).toBe(`?accion=register_batch&hasta=2026-11-30&persona=${laura}`)
  await waitFor(() => expect(person.value).toBe('Laura'))
  await userEvent.click(screen.getByRole('button', { name: 'Quitar filtros' }))

  expect(await screen.findByText('No hay cambios.')).not.toBeNull()
  expect(location.search).toBe('')
})

test('the register shows the changes first, and the readings after one press', async () => {
  const read: (string | null)[] = []
  await serve((path, _, { query }) => {
    if (path.endsWith('/audit_of')) read.push(new URLSearchParams(query).get('kind'))
    return Response.json([])
  })
  show()
  await screen.findByText('No hay cambios.')
  expect(screen.getByRole('button', { name: 'Cambios', pressed: true })).toBeDefined()

  await userEvent.click(screen.getByRole('button', { name: 'Consultas' }))
  await waitFor(() => expect(location.search).toBe('?tipo=consultas'))
  await screen.findByText('No hay consultas.')
  await userEvent.click(screen.getByRole('button', { name: 'Todo' }))
  await screen.findByText('Todavía no hay nada en el registro.')
  await userEvent.click(screen.getByRole('button', { name: 'Cambios' }))

  await waitFor(() => expect(location.search).toBe('?tipo=cambios'))
  expect(read.slice(0, 3)).toEqual(['changes', 'reads', null])
})

test('an empty kind of entries with a filter names the kind', async () => {
  history.replaceState(null, '', '?tipo=consultas&desde=2026-11-01')
  await serve(() => Response.json([]))
  show()

  expect(await screen.findByText('No hay consultas que coincidan con estos filtros.')).toBeDefined()
})

test.each([
  ['', null],
  ['?desde=2026-11-01', null],
  ['?tipo=todo', null],
  ['?tipo=cambios', 'changes'],
  ['?tipo=consultas', 'reads'],
])('the file of the address "%s" contains the entries of the kind %s', async (address, kind) => {
  const read: (string | null)[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  history.replaceState(null, '', `/admin${address}`)
  await serve((path, _, { query }) => {
    const asked = new URLSearchParams(query)
    if (path.endsWith('/audit_of') && asked.get('rows_max') !== '50') read.push(asked.get('kind'))
    return Response.json([])
  })
  show()

  await userEvent.click(screen.getByRole('button', { name: 'Descargar CSV' }))
  await waitFor(() => expect(read).toEqual([kind]))
})

test('equal readings within a minute are one row with their number, and changes are never joined', async () => {
  const reading = { ...entry, action: 'read_customer', target: 'c', target_name: 'Laura', after: null }
  const change = { ...entry, action: 'revoke_sessions', target: 'c', target_name: 'Laura', after: null }
  await serve((path) =>
    path.endsWith('/audit_of')
      ? Response.json([
          { ...reading, id: 7, recorded_at: '2026-11-23T12:01:30Z' },
          { ...reading, id: 6, recorded_at: '2026-11-23T12:01:00Z' },
          { ...reading, id: 5, recorded_at: '2026-11-23T12:00:40Z' },
          { ...reading, id: 4, recorded_at: '2026-11-23T12:00:20Z' },
          { ...reading, id: 3, target: 'd', target_name: 'Luis' },
          { ...change, id: 2 },
          { ...change, id: 1 },
        ])
      : undefined,
  )
  show()
  const rows = (await screen.findAllByRole('row')).slice(1)

  expect(rows.map((row) => cells(row).at(-1))).toEqual(['3 consultas', '', '', '', ''])
})

test('an audit entry of an approved act names both administrators', async () => {
  const inserted = { id: 't', type: 'deposit', amount: '5000.00', date: '2026-11-23', approved_by: laura }
  const request = { id: 't', kind: 'promotion', decision: 'approved' }
  const rows = [
    { ...entries[1], id: 2, action: 'register_transaction', after: inserted },
    { ...entries[1], action: 'decide_request', after: request },
  ]
  await serve((path) => {
    if (path.endsWith('/audit_of')) return Response.json(rows)
    if (path.endsWith('/find_customers'))
      return Response.json([{ name: laura, id: laura, full_name: 'Inés Mora', email: 'ines@banco.example' }])
    return undefined
  })
  show()

  expect(await screen.findByText('Marta Ríos, aprobado por Inés Mora')).toBeDefined()
  expect(screen.getByText('Aprobada, rol de administrador')).toBeDefined()
})

test('the page looks up only the names that the audit entries lack', async () => {
  const asked: unknown[] = []
  const gone = '00000000-0b1d-4b8e-9a53-2f2f6f1c7a52'
  await serve((path, body) => {
    if (!path.endsWith('/find_customers'))
      return Response.json([
        ...entries,
        { ...entries[1], id: 3, target: laura, target_name: null },
        { ...entries[1], id: 4, target: gone, target_name: null },
      ])
    asked.push(body)
    return Response.json([{ name: laura, id: laura, full_name: null, email: 'l@b.co' }])
  })
  show()

  const link = await screen.findByRole('link', { name: 'l@b.co' })
  expect(link.getAttribute('href')).toBe(`/admin/clientes/${laura}`)
  expect(screen.getByText('Persona 00000000')).not.toBeNull()
  expect(asked).toEqual([{ names: [gone, laura] }])
})

test('the audit log on a customer’s page contains only entries about this customer', async () => {
  await serve((path, _, { query }) =>
    path.endsWith('/audit_of') && query.includes(`user_id=${laura}`)
      ? Response.json([{ ...entries[1], target: laura }])
      : undefined,
  )
  show(laura)

  const name = await screen.findByRole('link', { name: 'Laura' })
  expect(name.getAttribute('href')).toBe(`/admin/clientes/${laura}`)
  expect(screen.queryByLabelText('Persona')).toBeNull()
})

test('the audit file has a line for each entry, and none of its fields can run as a formula', () => {
  const csv = auditCsv([{ ...(entries[1] as AuditEntry), target_name: '=Laura' }], new Map())

  expect(csv.split('\r\n')).toEqual([
    '\uFEFFNúmero;Hora (ISO 8601);Cuándo;Quién;Qué;A quién;Antes y después;Id de quién;Id de a quién;Sesión;Hash',
    expect.stringMatching(/^1;2026-11-23T12:00:00Z;.*;Marta Ríos;Consulta de cliente;'=Laura;;a;c;s;ab12$/),
    '',
  ])
})

function cells(row: HTMLElement | undefined) {
  return [...(row?.querySelectorAll('td') ?? [])].slice(1).map(({ textContent }) => textContent)
}
