// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayInBogota } from '#format/dates.ts'
import { addMonths, daysIn, lastDay, monthOf } from '#format/months.ts'
import { clearPage, serve } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { RecurringDialog } from './recurring-dialog.tsx'
import { RecurringList } from './recurring-list.tsx'

// Testing Library waits one second by default, which is too short on a stalled machine.
configure({ asyncUtilTimeout: 15_000 })

const today = dayInBogota()
/** The last day of the next month without a 31st. */
const shortEnd = lastDay(
  [1, 2, 3].map((count) => addMonths(monthOf(today), count)).find((month) => daysIn(month) < 31) ?? '',
)
const sent: unknown[] = []
const close = vi.fn()
let answer: (body: object) => Response

beforeEach(async () => {
  sent.length = 0
  answer = (body) => Response.json(body)
  await serve((path, body) => {
    if (!path.endsWith('/save_recurring_expense')) return Response.json([])
    sent.push(body)
    return answer(body as object)
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  close.mockReset()
  clearPage()
})

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

test('a recurring expense cannot be without a category', async () => {
  open({ description: 'Arriendo', amount: 800, next_due_on: shortEnd })
  await save()

  await waitFor(() => expect(sent).toMatchObject([{ category: 'Otro' }]))
})

test('a weekly expense has no day of the month', async () => {
  open(rent)
  await userEvent.selectOptions(screen.getByLabelText('Se repite'), 'weekly')
  expect(screen.queryByLabelText('Siempre el último día del mes')).toBeNull()
  await save()

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).not.toHaveProperty('due_day')
})

test('a new expense gets an id over plain HTTP too', async () => {
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

test('the row shows a day that could not be recorded', () => {
  render(
    <RecurringList
      recurring={[
        {
          ...rent,
          id: 'a',
          rhythm: 'monthly',
          due_day: 31,
          status: 'paused',
          refused: [{ due_on: `${today.slice(0, 4)}-01-31` }],
        },
      ]}
      onOpen={close}
    />,
  )

  expect(screen.getByRole('listitem').textContent).toBe(
    'Arriendo$800.00Cada mes, el último día · En pausaServicios' +
      'El del 31 ene no se registró: tu saldo quedaría por debajo de lo que el banco permite.',
  )
})

function open(plan: ComponentProps<typeof RecurringDialog>['plan']) {
  const client = createQueryClient()
  return renderPart(
    <>
      <RecurringDialog userId="u" plan={plan} onClose={close} />
      <Toaster />
    </>,
    client,
  )
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
