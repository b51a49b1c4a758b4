import { fireEvent, screen, within } from '@testing-library/react'
import { AddressProvider } from '#ui/address/address.tsx'
import { beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import type { Part, Sums } from '#planning/sums/sums.ts'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { MoneyPictures } from './money-pictures.tsx'

const minor = (amount: number) => amount as MinorUnits
const part = (type: Part['type'], amount: number): Part => ({
  type,
  category: 'Comida',
  recordedBy: 'customer',
  amountMinor: minor(amount),
  transactions: 1,
})
const period = { since: '2026-06-01', until: '2026-11-30' }
const twoMonths: Sums = {
  period,
  balanceMinor: minor(70_000),
  months: [
    {
      month: '2026-10',
      balanceMinor: minor(90_000),
      parts: [part('deposit', 100_000), part('expense', 10_000)],
    },
    { month: '2026-11', balanceMinor: minor(70_000), parts: [part('expense', 20_000)] },
  ],
  spentMinorByDay: new Map([
    ['2026-10-05', minor(4000)],
    ['2026-10-31', minor(6000)],
    ['2026-11-02', minor(15_000)],
    ['2026-11-22', minor(5000)],
  ]),
  coming: { payments: 3, amount: 160.5, recurs: true },
  bookedMinor: minor(100_000),
  notedMinor: minor(-30_000),
  monthlyLimit: null,
}
const nothing: Sums = {
  period,
  balanceMinor: minor(0),
  months: [],
  spentMinorByDay: new Map(),
  coming: { payments: 0, amount: 0, recurs: false },
  bookedMinor: minor(0),
  notedMinor: minor(0),
  monthlyLimit: null,
}
/** In Bogotá it is still 22 November at this time. */
const now = new Date('2026-11-23T04:30:00Z')

const draw = (sums: Sums, limit: number | null = 40_261) =>
  renderPart(
    <AddressProvider>
      <AmountsEye />
      <MoneyPictures sums={sums} limitMinor={limit === null ? null : minor(limit)} now={now} />
    </AddressProvider>,
  )
const drawn = () => document.querySelectorAll('.plot-line, .plot-area, .plot-bar, .plot-dot')
const cells = (row: HTMLElement | undefined) =>
  row === undefined ? [] : [...row.querySelectorAll('th,td')].map((cell) => cell.textContent)
const definitions = () => screen.getAllByRole('definition').map((each) => each.textContent)

beforeEach(() => serve(() => undefined))
test('the heading shows the remaining budget and days, and compares the month with the previous one', () => {
  draw(twoMonths)

  expect(screen.getByText(/^Te quedan/).textContent).toBe('Te quedan $202.61 de tu presupuesto y 9 días')
  expect(screen.getByText(/al día/).textContent).toBe('Son $22.51 al día hasta el 30.')
  expect(screen.getByText(/a esta fecha/).textContent).toBe('$160.00 más que en octubre a esta fecha.')
})

test('the forecast is the balance minus the payments due by the end of the month', () => {
  draw(twoMonths)

  const link = screen.getByRole('link', { name: /^Al final del mes/ })
  expect(link.textContent).toBe('Al final del mes: $539.50, contando 3 pagos que faltan')
  expect(link.getAttribute('href')).toBe('/recurrentes')
})

test('the link shows the number of remaining payments', () => {
  draw({ ...twoMonths, coming: { payments: 1, amount: 1000, recurs: true } })
  expect(screen.getByText(/^Al final/).textContent).toBe(
    'Al final del mes: -$300.00, contando un pago que falta',
  )

  clearPage()
  draw({ ...nothing, coming: { payments: 0, amount: 0, recurs: true } })
  const link = screen.getByRole('link', { name: 'Sin más pagos recurrentes este mes' })
  expect(link.getAttribute('href')).toBe('/recurrentes')
})

test('a customer without recurring payments is invited to add one', () => {
  draw(nothing)

  const link = screen.getByRole('link', { name: 'Añade tus pagos recurrentes' })
  expect(link.getAttribute('href')).toBe('/recurrentes')
})

test.each([
  ['spending above the limit', 15_000, 'Te pasaste de tu presupuesto por $50.00 y quedan 9 días'],
  ['spending equal to the limit', 20_000, 'Gastaste todo tu presupuesto y quedan 9 días'],
  ['spending without a limit', null, 'Llevas $200.00 este mes'],
])('the heading has a separate sentence for %s', (_, limit, sentence) => {
  const { container } = draw(twoMonths, limit)

  expect(container.textContent).toContain(sentence)
})

test('the tables list each day of the charts and each month from the first transaction on', () => {
  draw(twoMonths)
  const [days, months] = screen.getAllByRole('table')
  const rowsOf = (table: HTMLElement | undefined) =>
    table === undefined ? [] : within(table).getAllByRole('row')

  expect(cells(rowsOf(days)[0])).toEqual(['Día', 'noviembre', 'octubre'])
  expect(cells(rowsOf(days)[5])).toEqual(['5', '$150.00', '$40.00'])
  expect(cells(rowsOf(days)[31])).toEqual(['31', '—', '$100.00'])
  expect(screen.getByText('Desde tu primer movimiento')).toBeDefined()
  expect(rowsOf(months).map(cells)).toEqual([
    ['Mes', 'Entradas', 'Salidas', 'Saldo final'],
    ['octubre de 2026', '+$1,000.00', '-$100.00', '$900.00'],
    ['noviembre de 2026', '$0.00', '-$200.00', '$700.00'],
  ])
})

test('a screen reader announces the day under the pointer, but does not announce an amount for a future day', () => {
  draw(twoMonths)
  const slider = screen.getByRole('slider', { name: 'Día' })
  expect(slider.getAttribute('aria-valuetext')).toBe('22: noviembre $200.00, octubre $40.00')

  fireEvent.change(slider, { target: { value: '31' } })

  expect(definitions().slice(0, 3)).toEqual(['31', '—', '$100.00'])
  expect(slider.getAttribute('aria-valuetext')).toBe('31: noviembre —, octubre $100.00')
})

test('a screen reader announces a chosen month and a link to its transactions', () => {
  draw(twoMonths)

  fireEvent.click(screen.getByRole('radio', { name: 'octubre de 2026' }))

  expect(definitions().slice(-4)).toEqual(['Ver movimientos', '+$1,000.00', '-$100.00', '$900.00'])
  expect(screen.getByRole('link', { name: 'Ver movimientos' }).getAttribute('href')).toBe(
    '/transacciones?desde=2026-10-01&hasta=2026-10-31',
  )
})

test('the charts are hidden when the user hides amounts', () => {
  const { container } = draw(twoMonths)
  expect(drawn().length).toBeGreaterThan(5)

  fireEvent.click(screen.getByRole('button', { name: 'Ocultar cifras' }))

  expect(drawn()).toHaveLength(0)
  expect(container.textContent).not.toContain('$')
  expect(screen.getByRole('slider').getAttribute('aria-valuetext')).not.toContain('$')
  fireEvent.click(screen.getByRole('button', { name: 'Ocultar cifras' }))
})

test('an empty account shows a preview text', () => {
  const { container } = draw(nothing, null)

  expect(drawn()).toHaveLength(0)
  expect(container.textContent).toContain('Aquí verás tus gastos día a día.')
  expect(container.textContent).toContain('Aquí verás lo que entra y sale cada mes.')
})

test('on a customer’s first day the chart shows one point and omits the previous month', () => {
  draw({
    ...nothing,
    months: [{ month: '2026-11', balanceMinor: minor(-500), parts: [part('expense', 500)] }],
    spentMinorByDay: new Map([['2026-11-22', minor(500)]]),
  })

  expect(document.querySelectorAll('.plot-dot')).toHaveLength(1)
  expect(screen.queryByText('octubre')).toBeNull()
})
