import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayInBogota, dayOf, isoDay } from '#ui/format/dates.ts'
import { addMonths, daysIn, firstDay, lastDay, monthOf } from '#ui/format/months.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderWithToasts } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { RecurringDialog } from './recurring-dialog.tsx'
import { dayInWords } from './rhythm.ts'
import { MonthSummary, RecurringList } from './recurring-list.tsx'
import type { Recurring } from './recurring.ts'

const today = dayInBogota()
/** The last day of the next month with fewer than 31 days. */
const shortEnd = lastDay(
  [1, 2, 3].map((count) => addMonths(monthOf(today), count)).find((month) => daysIn(month) < 31) ?? '',
)
const sent: unknown[] = []
const close = vi.fn()
let answer: (body: object) => Response

beforeEach(async () => {
  sent.length = 0
  answer = (body) => Response.json(body)
  await serve((path, body, { method }) => {
    if (path.endsWith('/transactions') && method === 'POST') {
      sent.push(body)
      return Response.json(transactionRow({ ...(body as object), id: 'nuevo' }))
    }
    if (!path.endsWith('/save_recurring_expense')) return Response.json([])
    sent.push(body)
    return answer(body as object)
  })
})

afterEach(() => void close.mockReset())

const rent = { description: 'Arriendo', amount: 800, category: 'Servicios', next_due_on: shortEnd }

test('a customer can plan an expense for the last day of every month', async () => {
  open(rent)
  await save()
  await waitFor(() => expect(sent).toHaveLength(1))
  cleanup()

  open(rent)
  await userEvent.click(screen.getByLabelText('Siempre el último día del mes'))
  await save()

  await waitFor(() => expect(sent).toHaveLength(2))
  const [once, always] = sent as { due_day: number; amount: number; rhythm: string }[]
  expect(once).toMatchObject({ rhythm: 'monthly', amount: 800, due_day: Number(shortEnd.slice(8)) })
  expect(always).toMatchObject({ due_day: 31 })
})

test('a recurring expense without a category gets the category Otro', async () => {
  open({ description: 'Arriendo', amount: 800, next_due_on: shortEnd })
  await save()

  await waitFor(() => expect(sent).toMatchObject([{ category: 'Otro' }]))
})

test('the form for a weekly expense does not ask for a day of the month', async () => {
  open(rent)
  await userEvent.selectOptions(screen.getByLabelText('Se repite'), 'weekly')
  expect(screen.queryByLabelText('Siempre el último día del mes')).toBeNull()
  await save()

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).not.toHaveProperty('due_day')
})

test('a new recurring expense gets an id even over plain HTTP', async () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  open(rent)
  await save()

  await waitFor(() => expect(sent).toMatchObject([{ id: expect.stringMatching(/^[\da-f]{8}-/) }]))
})

test('a missing or invalid value is refused at its field without a request', async () => {
  open({})
  fireEvent.change(screen.getByLabelText('Próxima fecha'), { target: { value: '2020-01-01' } })
  await save()

  expect(screen.getByText('Escribe una descripción.')).not.toBeNull()
  expect(screen.getByText('Escribe un monto.')).not.toBeNull()
  expect(screen.getByText('Elige una fecha entre hoy y dentro de un año.')).not.toBeNull()
  expect(sent).toEqual([])
})

test('the form shows the database’s own refusal', async () => {
  answer = () =>
    Response.json(
      { code: 'PT409', message: 'Ya tienes el máximo de pagos recurrentes (100).' },
      { status: 409 },
    )
  open(rent)
  await save()

  expect(await screen.findAllByText('Ya tienes el máximo de pagos recurrentes (100).')).toHaveLength(2)
  expect(close).not.toHaveBeenCalled()
})

test('payments are recorded automatically only if the customer chooses this option', async () => {
  open(rent)
  await save()
  await waitFor(() => expect(sent).toMatchObject([{ is_automatic: false }]))
  cleanup()

  open({ ...rent, next_due_on: today })
  expect(screen.queryByText('El de hoy se registra al guardar.')).toBeNull()
  await userEvent.click(screen.getByLabelText(/^Registrar solo el día que toca/))
  expect(screen.getByText('El de hoy se registra al guardar.')).not.toBeNull()
  await save()

  await waitFor(() => expect(sent.at(-1)).toMatchObject({ is_automatic: true }))
})

// The month ------------------------------------------------------------------------------------------------

const date = (days: number) => isoDay(dayOf(today) + days)

const paid: Recurring = {
  ...rent,
  id: 'a',
  rhythm: 'monthly',
  due_day: 31,
  status: 'active',
  is_automatic: false,
  days: [{ due_on: today, paid_on: today, is_overdue: false }],
  refused: [],
}
const missing = (days: number, more: Partial<Recurring> = {}): Recurring => ({
  ...paid,
  days: [{ due_on: date(days), paid_on: null, is_overdue: days < -3 }],
  ...more,
})
const drawn = (...recurring: Recurring[]) => {
  renderWithToasts(
    <>
      <MonthSummary recurring={recurring} />
      <RecurringList userId="u" recurring={recurring} onOpen={close} />
    </>,
  )
  return screen.getByRole('list').previousElementSibling?.textContent
}
const states = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('the heading shows the number of payments with their monthly total and the total still missing', () => {
  const lastDay = daysIn(monthOf(today))
  const netflix = { ...paid, id: 'b', amount: 12.9 }
  const phone = { ...paid, id: 'c', amount: 15.5 }
  expect(drawn(netflix, phone, missing(0, { amount: 29 }))).toBe(
    `3 pagos · $57.40 al mes · faltan $29.00 hasta el ${lastDay}`,
  )
  cleanup()

  expect(drawn(netflix)).toBe('1 pago · $12.90 al mes · no falta ninguno')
  cleanup()

  const insurance = { ...paid, amount: 120, rhythm: 'yearly', days: [] } as const
  const market = missing(0, { id: 'b', amount: 3, rhythm: 'weekly' })
  expect(drawn(insurance, market)).toBe(`2 pagos · $23.00 al mes · faltan $3.00 hasta el ${lastDay}`)
  cleanup()

  expect(drawn({ ...paid, status: 'paused', days: [] })).toBeUndefined()
})

test('each payment is shown as paid or missing or overdue', () => {
  const before = { due_on: lastDay(addMonths(monthOf(today), -1)), paid_on: null, is_overdue: true }
  const overdue = {
    ...paid,
    id: 'c',
    days: [{ due_on: firstDay(monthOf(today)), paid_on: null, is_overdue: true }],
  }
  drawn(
    paid,
    missing(0, { id: 'b' }),
    overdue,
    { ...paid, id: 'd', days: [] },
    { ...paid, id: 'e', days: [before] },
  )

  expect(states()).toEqual([
    expect.stringContaining(`· Pagado ${dayInWords(today)}`),
    expect.stringContaining(`· Falta, el ${Number(today.slice(8))}`),
    expect.stringMatching(/· Atrasado(?!,)/),
    expect.stringContaining(`· Próximo: ${dayInWords(shortEnd)}`),
    expect.stringContaining(`· Atrasado, del ${dayInWords(before.due_on)}`),
  ])
})

test('a missing payment can be recorded with one click and is dated on its due day', async () => {
  drawn(missing(-4), missing(4, { id: 'b' }), missing(0, { id: 'c', is_automatic: true }), {
    ...paid,
    id: 'd',
  })

  await userEvent.click(screen.getByRole('button', { name: 'Registrar ahora Arriendo' }))

  await screen.findByText('Gasto añadido')
  expect(sent).toMatchObject([
    {
      user_id: 'u',
      type: 'expense',
      description: 'Arriendo',
      amount: 800,
      category: 'Servicios',
      date: `${date(-4)}T12:00:00-05:00`,
    },
  ])
})

test('the row shows a due day on which the payment could not be recorded', () => {
  drawn({
    ...paid,
    status: 'paused',
    days: [],
    refused: [{ due_on: `${today.slice(0, 4)}-01-31` }],
  })

  expect(screen.getByRole('listitem').textContent).toBe(
    'Arriendo$800.00Cada mes, el último día · En pausaServicios' +
      'El del 31 ene no se registró: tu saldo quedaría por debajo de lo que el banco permite.',
  )
})

function open(plan: ComponentProps<typeof RecurringDialog>['plan']) {
  const client = createQueryClient()
  return renderWithToasts(<RecurringDialog userId="u" plan={plan} onClose={close} />, client)
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
