import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { importedPerDayMax, ownBalanceMin } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { sheetRow, workbook } from '#testing/workbook.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { ImportPage } from './import-page.tsx'

const past = { id: 'i', created_at: '2026-11-20T12:00:00Z', entries: 1, amount: 5, undone_at: null }
let answer: () => Response
let balance: number
let history: readonly Transaction[]
let imports: readonly object[]
let sent: unknown

beforeEach(async () => {
  answer = () => Response.json({})
  balance = 100
  history = []
  imports = [past]
  sent = undefined
  await serve((path, body) => {
    if (path.includes('/rpc/')) {
      sent = body
      return answer()
    }
    if (path.endsWith('/budgets')) return Response.json({ balance })
    if (path.endsWith('/transactions')) return Response.json(history)
    return Response.json(path.endsWith('/imports') ? imports : [])
  })
})

test.for([
  [429, 'PT429', 'Ya importaste el máximo de gastos de 24 horas (10000).'],
  [409, 'PT409', 'Esta importación ya se hizo con otros gastos.'],
  [413, 'PT413', 'Una importación tiene entre 1 y 10000 gastos.'],
  [400, 'FZ402', 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.'],
] as const)('an import that the bank refuses (%i %s) says why', async ([status, code, message]) => {
  answer = () => Response.json({ code, message, details: null, hint: null }, { status })

  await record()

  expect(await screen.findByText(message)).not.toBeNull()
})

test('if the server does not answer an import, the message mentions the connection', async () => {
  answer = () => {
    throw new TypeError('Failed to fetch')
  }

  await record()

  expect(await screen.findByText(/^Revisa tu conexión/)).not.toBeNull()
})

test('the page shows why an undo was refused', async () => {
  const message = 'Esta importación no existe.'
  answer = () => Response.json({ code: 'PT404', message, details: null, hint: null }, { status: 404 })
  open()

  await userEvent.click(await screen.findByRole('button', { name: /^Deshacer la importación/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))

  expect(await screen.findByText(message)).not.toBeNull()
})

test('expenses cannot be recorded before the user chooses between two possible amount columns', async () => {
  open()
  choose('20/11/2026,Café,1234,-4.50\n21/11/2026,Bus,1235,-2.00\n')
  await screen.findByText('2 gastos nuevos')
  const question = screen.getByRole('radiogroup', { name: '¿Cuál columna es la del monto?' })
  const record = screen.getByRole('button', { name: 'Registrar 2 gastos · $6.50' })

  expect(record.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(within(question).getByLabelText('Columna 4: -4.50 · -2.00'))
  expect(record.getAttribute('aria-disabled')).toBeNull()

  await userEvent.click(within(question).getByLabelText('Columna 3: 1234 · 1235'))

  expect(await screen.findByRole('button', { name: 'Registrar 2 gastos · $2,469.00' })).not.toBeNull()
})

test('expenses cannot be recorded before the user says what an ambiguous separator means', async () => {
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4.500\n')
  await screen.findByText('1 gasto nuevo')
  const question = screen.getByRole('radiogroup', { name: '¿Cuánto es -4.500?' })
  const record = screen.getByRole('button', { name: 'Registrar 1 gasto · $4,500.00' })

  expect(record.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(within(question).getByLabelText('$4.50 · el punto separa los centavos'))

  const corrected = await screen.findByRole('button', { name: 'Registrar 1 gasto · $4.50' })
  expect(corrected.getAttribute('aria-disabled')).toBeNull()
})

test('expenses cannot be recorded before the user says whether unsigned amounts go out', async () => {
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;4,50\n21/11/2026;Bus;2,00\n22/11/2026;Cine;9,00\n')
  const question = await screen.findByRole('radiogroup', { name: /^El archivo no dice si este dinero/ })
  const record = await screen.findByRole('button', { name: 'Registrar 3 gastos · $15.50' })

  expect(within(question).getAllByRole('listitem')).toHaveLength(3)
  expect(record.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(within(question).getByLabelText('Gastos: el dinero sale'))

  expect(record.getAttribute('aria-disabled')).toBeNull()
})

test('a question stays on screen after its answer', async () => {
  open()
  choose('Tarjeta de crédito\nFecha;Detalle;Valor\n03/05/2026;Café;4,50\n04/05/2026;Pago;-4,50\n')
  const questions = [
    [/^Parece el archivo de una tarjeta/, 'Los montos positivos'],
    [/^¿En qué orden está la fecha/, /^Día \/ mes/],
  ] as const
  for (const [title, answer] of questions) {
    const question = await screen.findByRole('radiogroup', { name: title })
    await userEvent.click(within(question).getByLabelText(answer))
    expect(screen.getByRole('radiogroup', { name: title })).toBe(question)
    expect(question.dataset['answered']).toBe('true')
  }

  const record = await screen.findByRole('button', { name: 'Registrar 1 gasto · $4.50' })
  expect(record.getAttribute('aria-disabled')).toBeNull()
})

test('the user chooses one of several sheets with different tables', async () => {
  const sheet = (name: string, ...rows: string[][]) => ({
    name,
    rows: rows.map((cells, place) => sheetRow(place + 1, cells)).join(''),
  })
  const book = workbook({
    sheets: [
      sheet('Cuenta', ['Fecha', 'Concepto', 'Valor'], ['2026-11-03', 'Pan', '-1']),
      sheet('Tarjeta', ['Fecha', 'Comercio', 'Cargo', 'Abono'], ['2026-11-04', 'Bus', '2.5', '']),
    ],
  })
  open()
  choose(new Uint8Array(book), 'banco.xlsx')
  const question = await screen.findByRole('group', { name: /¿Cuál hoja quieres usar\?$/ })
  await userEvent.click(within(question).getByRole('button', { name: 'Tarjeta' }))

  expect(await screen.findByRole('button', { name: 'Registrar 1 gasto · $2.50' })).not.toBeNull()
  expect(screen.getByText('banco.xlsx · Tarjeta')).not.toBeNull()
})

test('a long file can be recorded only with the lines of the latest answer', async () => {
  open()
  const rows = Array.from({ length: 2500 }, (_, place) => `20/11/2026;Café ${place};2,00`)
  choose(`Fecha;Detalle;Valor\n${rows.join('\n')}\n`)
  const question = await screen.findByRole('radiogroup', { name: /^El archivo no dice si este dinero/ })
  const record = await screen.findByRole('button', { name: 'Registrar 2.500 gastos · $5,000.00' })
  expect(record.getAttribute('aria-disabled')).toBe('true')

  fireEvent.click(within(question).getByLabelText('Gastos: el dinero sale'))
  await waitFor(() => expect(record.getAttribute('aria-disabled')).toBeNull())

  fireEvent.click(within(question).getByLabelText('Ingresos: el dinero entra'))
  expect(record.getAttribute('aria-disabled')).toBe('true')
  expect(await screen.findByText(/2\.500 ingresos sin importar$/)).not.toBeNull()
})

test('expenses cannot be recorded before the user says whether refunded ones took place', async () => {
  open()
  choose('Date,Details,Amount,Status\n2026-11-20,Cafe,-4.50,Completed\n2026-11-21,Bus,-2.00,Refunded\n')
  const question = await screen.findByRole('radiogroup', {
    name: '¿Se realizaron los movimientos con estado Refunded?',
  })
  const record = await screen.findByRole('button', { name: 'Registrar 1 gasto · $4.50' })

  expect(record.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(within(question).getByLabelText('Sí, contarlos'))

  const both = await screen.findByRole('button', { name: 'Registrar 2 gastos · $6.50' })
  expect(both.getAttribute('aria-disabled')).toBeNull()
})

test('the page says which column proves the direction of the amounts', async () => {
  open()
  choose('Fecha;Detalle;Valor;Saldo\n20/11/2026;Café;-4,50;95,50\n21/11/2026;Nómina;900,00;995,50\n')

  expect(await screen.findByText('La columna Saldo confirma los signos.')).not.toBeNull()
})

test('lines that are not booked are listed with the reason', async () => {
  open()
  choose('Fecha;Detalle;Valor;Estado\n20/11/2026;Café;-4,50;Aprobada\n21/11/2026;Hotel;-300,00;Rechazada\n')
  await screen.findByText('1 gasto nuevo')

  expect(screen.getByText('1 línea que no es un movimiento')).not.toBeNull()
  expect(screen.getByText('Línea 3: no se realizó')).not.toBeNull()
})

test('the preview shows the balance after the selected expenses', async () => {
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4,50\n21/11/2026;Arriendo;-950,00\n')

  const effect = await paragraph('Tu saldo pasará de $100.00 a -$854.50')
  expect(effect.className).toContain('text-danger')
  await userEvent.click(screen.getByLabelText('Registrar Arriendo'))

  expect((await paragraph('Tu saldo pasará de $100.00 a $95.50')).className).not.toContain('danger')
})

test('the preview warns if the balance would fall below the minimum', async () => {
  balance = ownBalanceMin + 4.49
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4,50\n')

  expect(await screen.findByText(/^Tus gastos no pueden dejar el saldo por debajo/)).not.toBeNull()
})

test('the preview warns if the import exceeds the limit per 24 hours', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  imports = [
    { ...past, entries: importedPerDayMax - 1, created_at: hoursAgo(23), undone_at: hoursAgo(22) },
    { ...past, id: 'j', entries: 500, created_at: hoursAgo(25) },
  ]
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4,50\n21/11/2026;Bus;-2,00\n')

  expect(await screen.findByText('Puedes importar 20.000 gastos en 24 horas. Te queda 1.')).not.toBeNull()
  await userEvent.click(screen.getByLabelText('Registrar Bus'))

  expect(await paragraph('Tu saldo pasará de $100.00 a $95.50')).not.toBeNull()
})

test('amounts in pesos can be converted to dollars, and the converted amounts are recorded', async () => {
  history = [transactionRow({ description: 'Taxi', amount: 6 })]
  answer = () => Response.json({ ...past, entries: 2, amount: 1 })
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-18.500,00\n21/11/2026;Bus;-2.950,00\n')

  await userEvent.click(await inPesos(/^Sí, dividir/))
  await userEvent.click(await screen.findByRole('button', { name: 'Registrar 2 gastos · $5.37' }))

  await screen.findByText('Importación lista')
  expect(sent).toMatchObject({ rows: [{ amount: 4.63 }, { amount: 0.74 }] })
})

test('expenses cannot be recorded before the user says whether they are in pesos', async () => {
  history = [transactionRow({ description: 'Taxi', amount: 6 })]
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-18.500,00\n')
  const keep = await inPesos(/^No, dejar/)
  const record = () => screen.getByRole('button', { name: /^Registrar 1 gasto/ })

  expect(record().getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(keep)

  expect([record().textContent, record().getAttribute('aria-disabled')]).toEqual([
    'Registrar 1 gasto · $18,500.00',
    null,
  ])
})

test('a currency conversion can be changed and undone, and an invalid rate leaves the question unanswered', async () => {
  history = [transactionRow({ description: 'Taxi', amount: 6 })]
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-18.500,00\n')
  await userEvent.click(await inPesos(/^Sí, dividir/))
  await userEvent.clear(screen.getByLabelText('Dividir por'))
  const open18500 = await screen.findByRole('button', { name: 'Registrar 1 gasto · $18,500.00' })
  expect(open18500.getAttribute('aria-disabled')).toBe('true')

  await userEvent.type(screen.getByLabelText('Dividir por'), '3.700')
  await screen.findByRole('button', { name: 'Registrar 1 gasto · $5.00' })
  await userEvent.click(await inPesos(/^No, dejar/))

  const kept = await screen.findByRole('button', { name: 'Registrar 1 gasto · $18,500.00' })
  expect(kept.getAttribute('aria-disabled')).toBeNull()
})

/** Finds an answer to the question whether the file is in pesos. */
async function inPesos(answer: RegExp) {
  const question = await screen.findByRole('radiogroup', { name: /^¿Está en pesos\?/ })
  return within(question).getByLabelText(answer)
}

test('an income is listed with its date but cannot be selected', async () => {
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4,50\n21/11/2026;Nómina;900,00\n22/11/2026;Bus;-2,00\n')
  await screen.findByText('2 gastos nuevos · 1 ingreso sin importar')

  expect(screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual([
    'Registrar Bus',
    'Registrar Nómina',
    'Registrar Café',
  ])
  expect(screen.getByLabelText<HTMLInputElement>('Registrar Nómina')).toMatchObject({
    checked: false,
    disabled: true,
  })
  expect(screen.getByText('Los depósitos los registra el banco')).not.toBeNull()
  const left = await paragraph(
    '1 ingreso por $900.00 queda sin importar: los depósitos en Banco ya están en tu historial.',
  )
  expect(left).not.toBeNull()
})

/** Finds a paragraph by its combined text, because the amounts in it are separate elements. */
function paragraph(text: string) {
  return screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === text)
}

async function record() {
  open()
  choose('Fecha;Detalle;Valor\n20/11/2026;Café;-4,50\n')
  await screen.findByText('1 gasto nuevo')
  await userEvent.click(screen.getByRole('button', { name: /^Registrar 1 gasto/ }))
}

function choose(content: string | Uint8Array<ArrayBuffer>, name = 'banco.csv') {
  const files = [new File([content], name)]
  fireEvent.change(screen.getByLabelText(/Elige un archivo/), { target: { files } })
}

function open() {
  renderPart(
    <AddressProvider>
      <ImportPage />
      <Toaster />
    </AddressProvider>,
  )
}
