import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { BankCard } from './bank-card.tsx'

const sums = { customers: 2, total: 51.5, owed: 151.5, overdrawn: 0, noted: -100 }

test('the table below what the bank owes shows that amount alone for each day on which money moved', async () => {
  await serve(() =>
    Response.json({
      ...sums,
      days: [
        { day: '2026-11-26', came_in: 120, went_out: 0, owed: 120 },
        { day: '2026-11-27', came_in: 0, went_out: 0, owed: 120 },
        { day: '2026-11-28', came_in: 51.5, went_out: 20, owed: 151.5 },
      ],
    }),
  )

  renderPart(<BankCard />)

  const rows = within(await screen.findByRole('table')).getAllByRole('row')
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Día', 'Entró', 'Salió', 'Lo que debe'],
    ['28 nov', '$51.50', '$20.00', '$151.50'],
    ['26 nov', '$120.00', '—', '$120.00'],
  ])
})

test('one sentence says why the balances of the customers add up to another amount', async () => {
  await serve(() => Response.json({ ...sums, days: [] }))

  renderPart(<BankCard />)

  const sentence = await screen.findByText(/^Los saldos que ven los clientes suman/)
  expect(sentence.parentElement?.textContent).toBe(
    'Los saldos que ven los clientes suman $51.50: sus anotaciones restan $100.00 y no son dinero del banco.',
  )
  expect(screen.getByText('No entró ni salió dinero en los últimos 30 días.')).toBeDefined()
})

test('the sentence adds up when accounts are negative in the bank', async () => {
  await serve(() =>
    Response.json({ customers: 3, total: 21.5, owed: 151.5, overdrawn: -30, noted: -100, days: [] }),
  )

  renderPart(<BankCard />)

  const sentence = await screen.findByText(/^Los saldos que ven los clientes suman/)
  expect(sentence.parentElement?.textContent).toBe(
    'Los saldos que ven los clientes suman $21.50: los saldos negativos en el banco restan $30.00, y sus anotaciones restan $100.00 y no son dinero del banco.',
  )
})

test('without notes, the sentence names only the balances that are negative in the bank', async () => {
  await serve(() =>
    Response.json({ customers: 3, total: 121.5, owed: 151.5, overdrawn: -30, noted: 0, days: [] }),
  )

  renderPart(<BankCard />)

  const sentence = await screen.findByText(/^Los saldos que ven los clientes suman/)
  expect(sentence.parentElement?.textContent).toBe(
    'Los saldos que ven los clientes suman $121.50: los saldos negativos en el banco restan $30.00.',
  )
})
