import type { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayInBogota, dayOf, isoDay } from '#ui/format/dates.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderWithToasts } from '#testing/render-part.tsx'
import { dayInWords } from '#transfers/states.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import { accountRow, beneficiaryRow, transferRow } from '#testing/transfer-rows.ts'

const laura = beneficiaryRow({ id: 'laura', name: 'Laura', payee_name: 'L••• G•••' })
let account: object
let beneficiaries: object[]
/** The calls that change something, each as its name and its arguments. */
let calls: [name: string, body: Record<string, unknown>][]
/** Answers calls that change something. */
let answer: (name: string, body: Record<string, unknown>) => Response | Promise<Response>
/** The rows with which the bank answers a query for a transfer's id. */
let known: object[]
const close = vi.fn()

beforeEach(async () => {
  account = accountRow()
  beneficiaries = [laura]
  calls = []
  known = []
  answer = (_, body) => Response.json(transferRow({ ...body, status: 'done' }))
  await serve((path, body, { method, query }) => {
    const name = path.split('/').at(-1) ?? ''
    if (name === 'transfer_account') return Response.json(account)
    if (name === 'beneficiaries') return Response.json(beneficiaries)
    if (name === 'requests') return Response.json(query.includes('id=eq.') ? known : [])
    if (method !== 'POST') return Response.json([])
    calls.push([name, body as Record<string, unknown>])
    return answer(name, body as Record<string, unknown>)
  })
})

afterEach(() => void close.mockReset())

test('an amount above a limit is refused while it is typed', async () => {
  await open()
  for (const [typed, refusal] of [
    ['901', 'Es más de lo que tienes disponible.'],
    ['801', 'Pasa de tu límite por transferencia.'],
    ['701', 'Pasa de lo que te queda de tu límite de hoy.'],
  ] as const) {
    await type('Monto', typed)
    expect(await screen.findByText(refusal)).not.toBeNull()
  }
  await type('Monto', '700')
  expect(screen.getByText('Enviarás $700.00 cuando el banco lo apruebe')).not.toBeNull()
  await type('Monto', '500')
  expect(screen.getByText('Enviarás $500.00')).not.toBeNull()

  await type('Monto', '701')
  await press('Continuar')
  expect(screen.getByLabelText('Monto').getAttribute('aria-invalid')).toBe('true')
  expect(calls).toEqual([])
})

test('missing values are refused at their fields', async () => {
  await open()
  await press('Continuar')

  expect(screen.getByText('Elige a quién le envías.')).not.toBeNull()
  expect(screen.getByText('Escribe un monto.')).not.toBeNull()
})

test('the summary shows the recipient’s masked name and the amount available after the transfer', async () => {
  await fill({ amount: '100' })

  const shown = await summary()
  expect(shown.textContent).toBe(
    'ParaLauraL••• G••• · laura@ejemplo.coMonto$100.00CuándoHoy, al confirmarConceptoCena' +
      'Te quedará disponible$800.00',
  )
  expect(calls).toEqual([])
})

test('the second click of a double click does not press a button of the summary', async () => {
  await fill({ amount: '100' })
  await summary()
  for (const name of ['Transferir $100.00', 'Cambiar'])
    fireEvent.click(screen.getByRole('button', { name }), { detail: 2 })

  expect(await summary()).not.toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cambiar' }).matches(':disabled')).toBe(false)
  await press('Transferir $100.00')
  await waitFor(() => expect(calls).toHaveLength(1))
})

test('the amount available after the transfer does not change while the summary is open', async () => {
  const client = createQueryClient()
  await fill({ amount: '100' }, client)
  await summary()
  account = accountRow({ available: 800, reserved: 200 })
  await act(() => client.invalidateQueries())

  expect((await summary()).textContent).toContain('Te quedará disponible$800.00')
})

test('if the customer returns from the summary to the form, the form still contains the values', async () => {
  await fill({ amount: '100' })
  await press('Cambiar')

  expect(screen.getByLabelText<HTMLSelectElement>('Para').value).toBe('laura')
  expect(screen.getByLabelText<HTMLInputElement>('Monto').value).toBe('100')
  expect(screen.getByLabelText<HTMLInputElement>('Concepto').value).toBe('Cena')
})

const nextWeek = isoDay(dayOf(dayInBogota()) + 7)

test('after a transfer that was done at once the dialog offers the receipt and another transfer', async () => {
  answer = (name, body) =>
    name === 'statement'
      ? Response.json({ csv: 'recibo' })
      : Response.json(transferRow({ ...body, status: 'done' }))
  await fill({ amount: '100' })
  await press('Transferir $100.00')

  const sent = await screen.findByRole('dialog', { name: 'Transferencia hecha' })
  expect(within(sent).getByRole('status').textContent).toBe('Enviaste $100.00 a Laura.')
  expect(close).not.toHaveBeenCalled()
  await press('Compartir comprobante')
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]).toEqual(['statement', expect.objectContaining({ transaction_id: calls[0]?.[1]['id'] })])

  await press('Otra transferencia')
  await fillForm({ amount: '50' })
  await press('Transferir $50.00')
  await screen.findByRole('dialog', { name: 'Transferencia hecha' })
  expect(calls.at(-1)?.[1]['id']).not.toBe(calls[0]?.[1]['id'])
  await press('Listo')
  expect(close).toHaveBeenCalledOnce()
})

test.each([
  ['waiting', 'Espera la aprobación del banco'],
  ['scheduled', `Programada para el ${dayInWords(nextWeek)}`],
  ['failed', 'No se pudo hacer la transferencia'],
] as const)('if the transfer is %s, the toast says “%s”', async (status, title) => {
  answer = (_, body) => Response.json(transferRow({ ...body, status, due_on: nextWeek }))
  await fill({ amount: '100' })
  await press('Transferir $100.00')

  expect(await screen.findAllByText(title)).not.toEqual([])
  expect(close).toHaveBeenCalledOnce()
  expect(calls).toEqual([
    [
      'request_transfer',
      { id: expect.any(String), beneficiary_id: 'laura', amount: 100, description: 'Cena' },
    ],
  ])
})

test('a retry after a lost answer sends the same id', async () => {
  answer = () => Response.json({}, { status: 503 })
  await fill({ amount: '100' })
  await press('Transferir $100.00')
  await press(/^Reintentar/)

  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]).toEqual(calls[0])
})

test.each([
  ['the server fails', () => Response.json({}, { status: 503 })],
  ['the connection breaks', () => Response.error()],
] as const)('if %s, the page does not say that the transfer failed', async (_, lost) => {
  answer = lost
  await fill({ amount: '100' })
  await press('Transferir $100.00')

  expect(await screen.findAllByText('No sabemos si se hizo la transferencia')).not.toEqual([])
  expect(screen.getAllByText(/no se hará dos veces/)).not.toEqual([])
  expect(screen.queryByText('No se pudo hacer la transferencia')).toBeNull()
})

test('a dialog that was closed before the answer arrived sends the same transfer again', async () => {
  const client = createQueryClient()
  answer = () => new Promise<Response>(() => undefined)
  await fill({ amount: '100' }, client)
  await press('Transferir $100.00')
  await waitFor(() => expect(calls).toHaveLength(1))
  // A toast of an earlier test may still be shown.
  expect(within(screen.getByRole('dialog')).queryByText(/No llegó la respuesta/)).toBeNull()
  cleanup()

  render(client)
  await press('Transferir $100.00')
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]).toEqual(calls[0])
})

test('a dialog that is opened again after a lost answer sends the same transfer', async () => {
  const client = createQueryClient()
  answer = () => Response.json({}, { status: 503 })
  await fill({ amount: '100' }, client)
  await press('Transferir $100.00')
  await screen.findByRole('button', { name: /^Reintentar/ })
  cleanup()

  answer = (_, body) => Response.json(transferRow({ ...body, status: 'done' }))
  render(client)
  await press('Transferir $100.00')
  await screen.findAllByText('Transferencia hecha')
  expect(calls).toHaveLength(2)
  expect(calls[1]).toEqual(calls[0])
  cleanup()

  await fill({ amount: '100' }, client)
  await press('Transferir $100.00')
  await waitFor(() => expect(calls).toHaveLength(3))
  expect(calls[2]?.[1]['id']).not.toBe(calls[0]?.[1]['id'])
})

test('too many refused changes after a lost answer do not start a new transfer', async () => {
  const client = createQueryClient()
  answer = () => Response.json({}, { status: 503 })
  await fill({ amount: '100' }, client)
  await press('Transferir $100.00')
  await screen.findByRole('button', { name: /^Reintentar/ })
  answer = () => Response.json({ code: 'FZ429', message: 'Espera unos minutos.' }, { status: 429 })
  await press(/^Reintentar/)
  await screen.findAllByText('Espera unos minutos.')
  cleanup()

  answer = (_, body) => Response.json(transferRow({ ...body, status: 'done' }))
  render(client)
  await press('Transferir $100.00')

  await waitFor(() => expect(calls).toHaveLength(3))
  expect(calls[2]).toEqual(calls[0])
})

test('a dialog that is opened again after a refusal starts a new transfer', async () => {
  const client = createQueryClient()
  answer = () => Response.json({ code: 'PT409', message: 'No te alcanza.' }, { status: 409 })
  await fill({ amount: '100' }, client)
  await press('Transferir $100.00')
  await screen.findAllByText('No te alcanza.')
  cleanup()

  await open(client)
  expect(screen.getByLabelText<HTMLInputElement>('Monto').value).toBe('')
})

test('the summary asks for a confirmation before it closes', async () => {
  await fill({ amount: '100' })
  await summary()
  await press('Cerrar')
  expect(screen.queryByRole('alertdialog', { name: '¿Quieres descartar lo que escribiste?' })).not.toBeNull()
  await press('No, volver')

  answer = () => Response.json({}, { status: 503 })
  await press('Transferir $100.00')
  await screen.findByRole('button', { name: /^Reintentar/ })
  await press('Cerrar')
  expect(screen.queryByRole('alertdialog', { name: /^Aún no sabemos/ })).not.toBeNull()
  expect(close).not.toHaveBeenCalled()
})

test('values that are changed after a lost answer are not sent as a second transfer', async () => {
  answer = () => Response.json({}, { status: 503 })
  await fill({ amount: '100' })
  await press('Transferir $100.00')
  await screen.findByRole('button', { name: /^Reintentar/ })
  answer = () => Response.json({ code: 'PT409', message: 'Este identificador ya se usó.' }, { status: 409 })
  known = [{ id: 'x' }]
  await press('Cambiar')
  await type('Monto', '150')
  await press('Continuar')
  await press('Transferir $150.00')

  expect(await screen.findAllByText(/^Tu intento anterior sí llegó al banco/)).not.toEqual([])
  const [first, second] = calls.map(([, body]) => body)
  expect(second).toEqual({ ...first, amount: 150 })
})

test.each([
  ['500', 'Se envía hoy.', `Se envía el ${dayInWords(nextWeek)}. Reservamos`],
  [
    '501',
    'Se envía cuando el banco lo apruebe.',
    `Se envía el ${dayInWords(nextWeek)}, si el banco lo aprueba.`,
  ],
] as const)('the form says when a transfer of %s is sent', async (amount, now, later) => {
  await open()
  await type('Monto', amount)
  expect(screen.getByText(now, { exact: false })).not.toBeNull()
  await type('Fecha', nextWeek)
  expect(screen.getByText(later, { exact: false })).not.toBeNull()
})

test('if the customer chooses a later day, the form says on which day the transfer is sent', async () => {
  await open()
  await userEvent.selectOptions(screen.getByLabelText('Para'), 'Laura')
  await type('Monto', '600')
  const date = screen.getByLabelText('Fecha')
  await userEvent.clear(date)
  await userEvent.type(date, nextWeek)
  await press('Continuar')
  expect(await screen.findByText(`El ${dayInWords(nextWeek)}, si el banco la aprueba`)).not.toBeNull()
  await press('Transferir $600.00')

  await waitFor(() => expect(calls[0]?.[1]).toMatchObject({ due_on: nextWeek }))
})

// Beneficiaries ------------------------------------------------------------------------------------------------------

const added = beneficiaryRow({ id: 'ana', name: 'Ana', address: 'ana@ejemplo.co', confirmed_at: null })

test('a new beneficiary is added and confirmed before the summary', async () => {
  beneficiaries = []
  answer = (name) =>
    Response.json(
      name === 'add_beneficiary'
        ? added
        : { ...added, confirmed_at: '2026-11-26T12:00:00Z', payee_name: 'A••• R•••' },
    )
  await fillNew('Ana@Ejemplo.co')

  expect((await summary()).textContent).toContain('AnaA••• R••• · ana@ejemplo.co')
  expect(calls).toEqual([
    ['add_beneficiary', { id: expect.any(String), name: 'Ana', address: 'ana@ejemplo.co' }],
    ['confirm_beneficiary', { id: 'ana' }],
  ])
})

test('a new beneficiary can be added by alias', async () => {
  beneficiaries = []
  answer = () => Response.json({ ...added, address: '@ana.p' })
  await fillNew('@Ana.P')

  await waitFor(() => expect(calls[0]?.[1]).toMatchObject({ name: 'Ana', address: '@ana.p' }))
})

test('an address of another bank’s customer is refused at the email field', async () => {
  beneficiaries = []
  answer = (name) =>
    Response.json(name === 'add_beneficiary' ? added : { ...added, confirmed_at: '2026-11-26T12:00:00Z' })
  await fillNew('ana@ejemplo.co')

  expect(await screen.findByText(/^No encontramos una cuenta de este banco con esa dirección/)).not.toBeNull()
  expect(screen.getByLabelText('Email o llave').getAttribute('aria-invalid')).toBe('true')
})

test('a beneficiary that was added but not confirmed is not added again', async () => {
  beneficiaries = []
  answer = (name) => {
    if (name !== 'add_beneficiary')
      return Response.json({ code: 'PT429', message: 'Espera.' }, { status: 429 })
    beneficiaries = [added]
    return Response.json(added)
  }
  await fillNew('ana@ejemplo.co')
  await screen.findAllByText('Espera.')
  await press('Continuar')

  await waitFor(() => expect(calls).toHaveLength(3))
  expect(calls.map(([name]) => name)).toEqual([
    'add_beneficiary',
    'confirm_beneficiary',
    'confirm_beneficiary',
  ])
})

test('the customer’s own address and an invalid address are refused', async () => {
  beneficiaries = []
  await fillNew('YO@ejemplo.co')
  expect(screen.getByText('No puedes transferirte a tu propia cuenta.')).not.toBeNull()
  cleanup()

  await fillNew('@ana.')
  expect(screen.getByText('Escribe un email, como ana@ejemplo.co, o una llave, como @ana.p.')).not.toBeNull()
  expect(calls).toEqual([])
})

function render(client?: QueryClient): void {
  renderWithToasts(<TransferDialog userId="u" ownAddress="yo@ejemplo.co" onClose={close} />, client)
}

async function open(client?: QueryClient): Promise<void> {
  render(client)
  await screen.findByLabelText('Monto')
}

async function fill({ amount }: { amount: string }, client?: QueryClient): Promise<void> {
  await open(client)
  await fillForm({ amount })
}

async function fillForm({ amount }: { amount: string }): Promise<void> {
  await userEvent.selectOptions(await screen.findByLabelText('Para'), 'Laura')
  await type('Monto', amount)
  await type('Concepto', 'Cena')
  await press('Continuar')
}

async function fillNew(address: string): Promise<void> {
  await open()
  await type('Nombre', 'Ana')
  await type('Email o llave', address)
  await type('Monto', '100')
  await press('Continuar')
}

async function type(label: string, text: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText(label))
  await userEvent.type(screen.getByLabelText(label), text)
}

async function press(name: string | RegExp): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name }))
}

function summary(): Promise<HTMLElement> {
  return screen.findByRole('group', { name: 'Revisa la transferencia' })
}
