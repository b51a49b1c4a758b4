import { QueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { latestQuery } from '#data/queries.ts'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { DetailsDialog } from './details-dialog.tsx'

const coffee = transactionRow({ id: 'cafe', description: 'Cafe', category: 'Otro' })
const asked: { query: string; body: unknown }[] = []
const amended: unknown[] = []
const ruled: { path: string; body: unknown }[] = []
const read: string[] = []
const close = vi.fn()
let client: QueryClient
let answer: (words: object) => Response
let earlier: () => Response
let serverRules: readonly object[]

beforeEach(async () => {
  asked.length = 0
  read.length = 0
  ruled.length = 0
  amended.length = 0
  answer = (words) => Response.json({ ...coffee, ...words })
  earlier = () => Response.json([])
  serverRules = []
  await serve((path, body, { method, query }) => {
    if (method === 'GET') read.push(path)
    if (path.endsWith('/transaction_edits')) return earlier()
    if (path.endsWith('/count_rule_matches')) return Response.json(23)
    if (method !== 'GET' && /rule|statement/.test(path))
      ruled.push({ path: path.split('/').at(-1) ?? '', body })
    if (path.endsWith('/statement'))
      return Response.json({ error: 'Hiciste demasiadas solicitudes.' }, { status: 429 })
    if (path.endsWith('/category_rules') && method === 'POST')
      return Response.json({ id: 'r', ...(body as object), entries: null, first_seq: null, undone_at: null })
    if (path.endsWith('/apply_category_rule')) return Response.json({ entries: 23, first_seq: 40 })
    if (path.endsWith('/undo_category_rule')) return Response.json({})
    if (path.endsWith('/amend_expense')) {
      amended.push(body)
      return answer((body as { changes: object }).changes)
    }
    if (path.endsWith('/category_rules'))
      return Response.json(method === 'GET' ? serverRules : { ...serverRules[0], ...(body as object) })
    if (method !== 'PATCH') return Response.json([])
    asked.push({ query, body })
    return answer(body as object)
  })
})

afterEach(() => void close.mockReset())

test('a receipt request contains only the transaction and the format, and a refusal shows a message', async () => {
  open(coffee)

  await userEvent.click(screen.getByRole('button', { name: 'Descargar comprobante' }))

  await screen.findByText('No se pudo descargar el comprobante')
  await screen.findByText('Hiciste demasiadas solicitudes.')
  expect(ruled).toEqual([{ path: 'statement', body: { transaction_id: 'cafe', format: 'pdf' } }])
})

test.for([
  ['import', 'Importado de un archivo'],
  ['recurring', 'Pago recurrente'],
  ['own', null],
] as const)(
  'the details of an expense of the origin %s say %s without a request',
  async ([origin, words]) => {
    open({ ...coffee, origin, origin_id: origin === 'own' ? null : 'x' })

    expect(screen.queryByText('Origen')?.nextSibling?.textContent ?? null).toBe(words)
    await new Promise((done) => void setTimeout(done))
    expect(read).toEqual([])
  },
)

test.for([
  [{ type: 'deposit', origin: 'clerk' }, 'Depósito del banco'],
  [{ type: 'expense', origin: 'clerk' }, 'Gasto del banco'],
  [{ type: 'deposit', origin: 'batch' }, 'Lote del banco'],
  [{ type: 'deposit', origin: 'transfer' }, 'Transferencia'],
  [{ type: 'expense', origin: 'return' }, 'Devolución'],
  [{ type: 'expense', origin: 'correction' }, 'Corrección del banco'],
] as const)('the details of a transaction of the bank with %o say %s', ([part, words]) => {
  open({ ...coffee, ...part, recorded_by: 'bank', origin_id: 'x' })

  expect(screen.getByText('Origen').nextSibling?.textContent).toBe(words)
})

test('an edit is sent in one request, and the toast can undo it', async () => {
  await edit(coffee)
  expect(document.activeElement).toBe(amount())
  await userEvent.clear(description())
  await userEvent.type(description(), 'Café con Ana')
  await userEvent.selectOptions(category(), 'Comida')
  await userEvent.click(save())

  await screen.findByText('Movimiento actualizado')
  expect(asked).toEqual([
    {
      query: expect.stringMatching(/user_id=eq\.u&id=eq\.cafe/),
      body: { description: 'Café con Ana', category: 'Comida' },
    },
  ])
  expect(shown()).toEqual(['Café con Ana', 'Comida'])
  expect(close).toHaveBeenCalledTimes(1)

  await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Cambio deshecho')
  expect(asked[1]?.body).toEqual({ description: 'Cafe', category: 'Otro' })
  expect(shown()).toEqual(['Cafe', 'Otro'])
})

test('one request changes the amount and the date and the description, and one undo restores all three values', async () => {
  await edit(coffee)
  await userEvent.clear(amount())
  await userEvent.type(amount(), '12,5')
  fireEvent.change(date(), { target: { value: '2026-11-18' } })
  await userEvent.clear(description())
  await userEvent.type(description(), 'Pan')
  await userEvent.click(save())

  await screen.findByText('Movimiento actualizado')
  expect(amended).toEqual([
    { id: 'cafe', changes: { amount: 12.5, date: '2026-11-18T17:00:00.000Z', description: 'Pan' } },
  ])
  expect(latest()).toMatchObject([{ amount: 12.5, date: '2026-11-18T17:00:00.000Z', description: 'Pan' }])
  await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Cambio deshecho')
  const { amount: before, date: day, description: words } = coffee
  expect(amended[1]).toEqual({ id: 'cafe', changes: { amount: before, date: day, description: words } })
  expect([latest(), asked]).toEqual([[coffee], []])
})

test('an edit and its undo do not overwrite other values of the transaction that were changed elsewhere', async () => {
  const renamed = { ...coffee, description: 'Café con Ana' }
  answer = (values) => Response.json({ ...renamed, ...values })
  await edit(coffee)
  await userEvent.clear(amount())
  await userEvent.type(amount(), '12,5')
  await userEvent.selectOptions(category(), '')
  await userEvent.click(save())
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Cambio deshecho')
  expect(amended).toEqual([
    { id: 'cafe', changes: { amount: 12.5, category: null } },
    { id: 'cafe', changes: { amount: coffee.amount, category: 'Otro' } },
  ])
  expect(latest()).toEqual([renamed])
})

test.for([
  ['FZ402', 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.'],
  ['PT404', 'Este movimiento ya no está en tu lista.'],
] as const)('if an edit is refused with %s, the form shows the reason', async ([code, sentence]) => {
  answer = () => Response.json({ code, message: '' }, { status: 400 })
  await edit(coffee)
  await userEvent.clear(amount())
  await userEvent.type(amount(), '99')
  await userEvent.click(save())

  expect(await screen.findAllByText(sentence)).not.toEqual([])
  expect(latest()).toEqual(code === 'PT404' ? [] : [coffee])
})

test('an invalid amount and an invalid date are refused at their fields', async () => {
  await edit(coffee)
  await userEvent.clear(amount())
  fireEvent.change(date(), { target: { value: '2999-01-01' } })
  await userEvent.click(save())

  expect(screen.getByText('Escribe un monto.')).not.toBeNull()
  expect(screen.getByText('Debe ser de los últimos diez años.')).not.toBeNull()
  expect(amended).toEqual([])
})

test('after a refused edit, the form keeps the typed text and the lists keep the old values', async () => {
  answer = () => Response.json({ code: 'PT429', message: '' }, { status: 429 })
  await edit(coffee)
  await userEvent.type(description(), ' con Ana')
  await userEvent.click(save())

  expect(
    await screen.findAllByText('Ya hiciste todos los cambios que caben en 24 horas. Sigue mañana.'),
  ).not.toEqual([])
  expect([description().value, ...shown()]).toEqual(['Cafe con Ana', 'Cafe', 'Otro'])
  expect(close).not.toHaveBeenCalled()
})

test('if a transaction was deleted elsewhere, an edit removes it from the lists and the form shows the reason', async () => {
  answer = () => Response.json({ code: 'PGRST116', message: '' }, { status: 406 })
  await edit(coffee)
  await userEvent.type(description(), ' con Ana')
  await userEvent.click(save())

  expect(await screen.findAllByText('Este movimiento ya no está en tu lista.')).not.toEqual([])
  await waitFor(() => expect(latest()).toEqual([]))
})

test('an empty description is refused at its field', async () => {
  await edit(coffee)
  await userEvent.clear(description())
  await userEvent.click(save())

  expect(description().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Escribe una descripción.')).not.toBeNull()
  expect(asked).toEqual([])
})

test('unchanged fields are not sent', async () => {
  await edit(coffee)
  await userEvent.click(save())

  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(asked).toEqual([])
})

test('only the category of a bank transaction can be changed', async () => {
  await edit({ ...coffee, description: 'Cuota de manejo', category: 'Gasto', recorded_by: 'bank' })
  expect(screen.queryByLabelText('Descripción')).toBeNull()
  expect([amount().disabled, date().disabled]).toEqual([true, true])
  expect(screen.getAllByText('Lo registró el banco')).toHaveLength(2)
  expect(document.activeElement).toBe(category())
  expect(category().value).toBe('Gasto')
  await userEvent.selectOptions(category(), 'Servicios')
  await userEvent.click(save())

  await screen.findByText('Movimiento actualizado')
  expect(asked[0]?.body).toEqual({ category: 'Servicios' })
})

test('the form can change the category and create a rule, and one undo reverts both', async () => {
  await edit({ ...coffee, description: 'Café Águila 31' })
  await userEvent.selectOptions(category(), 'Comida')
  await userEvent.click(await always('Café Águila', '(también en 22 anteriores)'))
  await userEvent.click(save())

  await screen.findByText('Siempre: Café Águila → Comida, también en 23 movimientos')
  expect(screen.getByText('Movimiento actualizado')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }))
  await screen.findByText('Cambio deshecho')

  expect(ruled).toEqual([
    { path: 'category_rules', body: { user_id: 'u', contains: 'Café Águila', category: 'Comida' } },
    { path: 'apply_category_rule', body: { id: 'r' } },
    { path: 'undo_category_rule', body: { id: 'r' } },
    { path: 'category_rules', body: undefined },
  ])
  expect(asked.map(({ body }) => body)).toMatchObject([{ category: 'Comida' }, { category: 'Otro' }])
})

test('a rule with the unchanged category changes only similar expenses', async () => {
  await edit(coffee)
  await userEvent.click(await always('Cafe', '(también en 22 anteriores)'))
  await userEvent.click(save())

  await screen.findByText('Siempre: Cafe → Otro, también en 23 movimientos')
  expect(asked).toEqual([])
})

test('undoing a change to a rule restores its previous category', async () => {
  const former = { id: 'r', contains: 'CAFÉ', category: 'Viajes', entries: 3, first_seq: 1, undone_at: null }
  serverRules = [former]
  await edit(coffee)
  await userEvent.selectOptions(category(), 'Comida')
  await userEvent.click(await always('Cafe', '(también en 22 anteriores)'))
  await userEvent.click(save())
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Cambio deshecho')
  expect(ruled).toEqual([
    { path: 'category_rules', body: { contains: 'Cafe', category: 'Comida' } },
    { path: 'apply_category_rule', body: { id: 'r' } },
    { path: 'undo_category_rule', body: { id: 'r' } },
    { path: 'category_rules', body: { contains: 'CAFÉ', category: 'Viajes' } },
  ])
})

test('the rule uses the original description of a transaction that was edited earlier', async () => {
  earlier = () => Response.json([{ description: 'RETIRO CAJERO CAÑAVERAL 31' }])
  await edit({ ...coffee, description: 'Efectivo finca' })

  expect(await always('RETIRO CAJERO CAÑAVERAL', '(también en 23 anteriores)')).not.toBeNull()
})

test('a rule cannot be created if the original description cannot be read', async () => {
  earlier = () => Response.json({ code: '42501', message: '' }, { status: 403 })
  await edit(coffee)
  await userEvent.selectOptions(category(), 'Comida')

  expect(screen.getByLabelText<HTMLInputElement>(/^Usar siempre/).disabled).toBe(true)
})

test('a rule is not offered for a deposit', async () => {
  await edit({ ...coffee, type: 'deposit' })

  expect(screen.queryByLabelText(/^Usar siempre/)).toBeNull()
})

test('a click on a category saves it and closes the dialog', async () => {
  await openCategories(coffee)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Otro', pressed: true }))
  await userEvent.click(screen.getByRole('button', { name: 'Salud' }))

  expect(screen.queryByRole('dialog')).toBeNull()
  await screen.findByText('Movimiento actualizado')
  expect([asked[0]?.body, shown(), ruled]).toEqual([{ category: 'Salud' }, ['Cafe', 'Salud'], []])
})

test('a click on a category creates a rule if the checkbox is ticked', async () => {
  await openCategories(coffee)
  await userEvent.click(await always('Cafe', '(también en 22 anteriores)'))
  await userEvent.click(screen.getByRole('button', { name: 'Salud' }))

  await screen.findByText('Siempre: Cafe → Salud, también en 23 movimientos')
  expect(ruled[0]?.body).toEqual({ user_id: 'u', contains: 'Cafe', category: 'Salud' })
})

test('after a refused category change, the lists show the previous category and a toast shows the reason', async () => {
  answer = () => Response.json({ code: 'PT429', message: '' }, { status: 429 })
  await openCategories(coffee)
  await userEvent.click(screen.getByRole('button', { name: 'Sin categoría' }))

  await screen.findByText('Ya hiciste todos los cambios que caben en 24 horas. Sigue mañana.')
  expect([asked[0]?.body, shown()]).toEqual([{ category: null }, ['Cafe', 'Otro']])
})

test('the dialog asks for confirmation before closing only if text was typed', async () => {
  await edit(coffee)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(close).toHaveBeenCalledTimes(1)

  await userEvent.type(description(), '!')
  await userEvent.keyboard('{Escape}')

  expect(screen.queryByRole('alertdialog')).not.toBeNull()
  expect(close).toHaveBeenCalledTimes(1)
})

function open(transaction: Transaction) {
  show(transaction, <DetailsDialog transaction={transaction} onClose={close} />)
}

async function edit(transaction: Transaction) {
  open(transaction)
  await userEvent.click(screen.getByRole('button', { name: 'Editar' }))
}

async function openCategories(transaction: Transaction) {
  show(transaction, <Categories transaction={transaction} />)
  await userEvent.click(screen.getByRole('button', { name: 'Abrir' }))
}

function Categories({ transaction }: { transaction: Transaction }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {'Abrir'}
      </button>
      {isOpen && <CategoryDialog transaction={transaction} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function show(transaction: Transaction, dialog: ReactNode) {
  client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  client.setQueryData(latestQuery('u').queryKey, [transaction])
  renderWithToasts(<AddressProvider>{dialog}</AddressProvider>, client)
}

const always = (text: string, others: string) =>
  screen.findByLabelText<HTMLInputElement>(`Usar siempre para «${text}» ${others}`)

const latest = () => client.getQueryData(latestQuery('u').queryKey)
const shown = () => (latest() ?? []).flatMap((row) => [row.description, row.category])
const description = () => screen.getByLabelText<HTMLInputElement>('Descripción')
const amount = () => screen.getByLabelText<HTMLInputElement>('Monto')
const date = () => screen.getByLabelText<HTMLInputElement>('Fecha')
const category = () => screen.getByLabelText<HTMLSelectElement>(/^Categoría/)
const save = () => screen.getByRole('button', { name: 'Guardar cambios' })
