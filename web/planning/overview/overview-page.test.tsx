import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { OverviewPage } from './overview-page.tsx'

const part = (type: string, recorded_by: string, amount: number, category = 'Gasto') => ({
  type,
  category,
  recorded_by,
  amount,
  transactions: 1,
})

const now = [
  part('deposit', 'bank', 500, 'Deposito'),
  part('expense', 'bank', 8),
  part('expense', 'customer', 2, 'Comida'),
]

/** The server's answers: first the sums of the period, then the sums of the previous period. */
let answers: (typeof now)[]

beforeEach(() => {
  answers = [now, []]
  return serve((path) =>
    path.endsWith('/sum_transactions')
      ? Response.json({
          balance: 490,
          months: [{ month: '2026-11', balance: 490, sums: answers.shift() }],
          days: [],
        })
      : undefined,
  )
})
test('the income and the spending of a period equal the sums of the listed categories', async () => {
  show()
  const spending = await screen.findByRole('region', { name: 'En qué se fue' })
  const income = screen.getByRole('region', { name: 'De dónde vino' })

  expect(figures()).toEqual(['+$500.00', '-$10.00', '+$490.00', '$490.00'])
  expect(linesOf(spending)).toEqual(['Registrado por el banco$8.0080%', 'Comida$2.0020%'])
  expect(linesOf(income)).toEqual(['Deposito$500.00100%'])
})

test('each category is compared with the previous period', async () => {
  answers = [now, [part('expense', 'customer', 3, 'Comida'), part('deposit', 'bank', 500, 'Deposito')]]
  show()
  await screen.findAllByText(/en el periodo anterior/)

  expect(linesOf(screen.getByRole('region', { name: 'En qué se fue' }))).toEqual([
    'Registrado por el banco$8.0080%$8.00 más que en el periodo anterior',
    'Comida$2.0020%$1.00 menos que en el periodo anterior',
  ])
  expect(linesOf(screen.getByRole('region', { name: 'De dónde vino' }))).toEqual([
    'Deposito$500.00100%Igual que en el periodo anterior',
  ])
})

function show() {
  renderPart(
    <AddressProvider>
      <OverviewPage />
    </AddressProvider>,
  )
}

function figures() {
  const totals = screen.getByLabelText('En este periodo')
  return [...totals.querySelectorAll('dd')].map(({ textContent }) => textContent)
}

function linesOf(list: HTMLElement) {
  return [...list.querySelectorAll('li')].map(({ textContent }) => textContent)
}
