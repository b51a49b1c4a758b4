import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, formatMonth, monthOf } from '#ui/format/months.ts'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BudgetPage } from './budget-page.tsx'

const month = monthOf(dayInBogota())
const last = formatMonth(addMonths(month, -1))

type Limit = { category: string; monthly_limit: number; spent: number }

let monthlyLimit: number | null
let limits: Limit[]
let others: { category: string | null; spent: number }[]
/** Sums of the month before by category. The same sums are those of the two months before it. */
let usual: Record<string, number>
let recurring: object[]
let dueDays: string[]
/** The answer to a request that saves the limit of the whole month. */
let savedMonth: () => Response | undefined
const saved: unknown[] = []

beforeEach(() => {
  monthlyLimit = 1900
  limits = [{ category: 'Comida', monthly_limit: 500, spent: 539.42 }]
  others = [
    { category: 'Gasto', spent: 797.5 },
    { category: 'Transporte', spent: 32.3 },
  ]
  usual = { Comida: 471.1, Gasto: 797.5, Transporte: 88.38, Salud: 53.32 }
  recurring = []
  dueDays = [`${month}-28`]
  savedMonth = () => undefined
  saved.length = 0
  return serve((path, body) => {
    if (path.endsWith('/sum_category_budgets')) return Response.json(budgets())
    if (path.endsWith('/sum_transactions')) return Response.json(sums())
    if (path.endsWith('/recurring_expenses')) return Response.json(recurring)
    if (path.endsWith('/expected_payments')) {
      return Response.json(dueDays.map((due_on) => ({ recurring_id: 'r', due_on, paid_on: null })))
    }
    if (path.endsWith('/set_category_budget')) {
      saved.push(body)
      set(body as { category: string; monthly_limit: number | null })
      return Response.json(null)
    }
    return path.endsWith('/budgets') ? savedMonth() : undefined
  })
})

test('the page shows and changes the limit of the whole month', async () => {
  const plate = await show()

  expect(plate.textContent).toContain('Te quedan $530.78')
  expect(plate.textContent).toContain('Gastado $1,369.22')
  expect(plate.textContent).toContain('Límite $1,900.00')
  await userEvent.click(within(plate).getByRole('button', { name: 'Editar presupuesto mensual' }))
  const dialog = await screen.findByRole('dialog', { name: 'Presupuesto Mensual' })
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Límite mensual' }).value).toBe('1900')
})

test('a customer without a limit for the month is offered the mean of the last three months', async () => {
  monthlyLimit = null
  const plate = await show()

  expect(plate.textContent).toContain('Gastas $1,410.30 al mes en promedio.')
  await userEvent.click(within(plate).getByRole('button', { name: 'Fija tu presupuesto' }))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Límite mensual' })
  expect(field.value).toBe('1415')
})

test('no limit is proposed while amounts are hidden, because it would reveal the mean', async () => {
  monthlyLimit = null
  const plate = await show()
  const eye = screen.getByRole('button', { name: 'Ocultar cifras' })
  await userEvent.click(eye)

  await userEvent.click(within(plate).getByRole('button', { name: 'Fija tu presupuesto' }))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Límite mensual' })
  expect(field.value).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Cerrar' }))
  await userEvent.click(eye)
})

test('a refused limit of the month is explained in the bank’s own words', async () => {
  savedMonth = () =>
    Response.json(
      { code: 'PT429', message: 'Demasiados cambios. Espera un minuto.', details: null, hint: null },
      { status: 429 },
    )
  const plate = await show()
  await userEvent.click(within(plate).getByRole('button', { name: 'Editar presupuesto mensual' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }))

  expect((await screen.findAllByText('Demasiados cambios. Espera un minuto.')).length).toBeGreaterThan(0)
})

test('an exceeded limit says by how much, and what the month before cost', async () => {
  await show()

  expect((await rows())[0]).toContain(`Te pasaste por $39.42 · en ${last} gastaste $471.10`)
})

test('limits stand before other categories, and a usual category stands there before anything is spent on it', async () => {
  limits.push(
    { category: 'Viajes', monthly_limit: 100, spent: 0 },
    { category: 'Ocio', monthly_limit: 10, spent: 9 },
  )
  await show()

  expect((await rows()).map((text) => text.replace(/\$.*/, ''))).toEqual([
    'Comida',
    'Ocio',
    'Viajes',
    'Registrado por el banco',
    'Transporte',
    'Salud',
  ])
})

test('one press saves the limit that the last three months propose, and one press undoes it', async () => {
  await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Fijar límite: $90.00 de Transporte' }))

  await waitFor(() =>
    expect(saved).toEqual([{ category: 'Transporte', monthly_limit: 90, carries_over: false }]),
  )
  await screen.findByRole('meter', { name: 'Parte gastada de Transporte' })
  await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }))
  await screen.findByRole('button', { name: 'Fijar límite: $90.00 de Transporte' })
  expect(saved).toHaveLength(2)
})

test('a charge of the bank can have a limit', async () => {
  await show()

  expect(await screen.findByRole('button', { name: /^Fijar límite: \$800\.00 de / })).not.toBeNull()
  expect((await rows())[1]).toContain(`Igual que en ${last}`)
})

test('the list folds the smallest categories, and shows their sum', async () => {
  usual = {}
  others = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((category, index) => ({ category, spent: 70 - index }))
  await show()

  expect(await rows()).toHaveLength(6)
  expect(screen.getByText(/^Las demás \(2\)/).textContent).toContain('$129.00')
  await userEvent.click(screen.getByRole('button', { name: 'Ver' }))
  expect(await rows()).toHaveLength(8)
})

test('the payments that are missing this month stand beside the limits', async () => {
  recurring = [{ id: 'r', description: 'Plan celular', amount: 15.5, status: 'active', refused: [] }]
  await show()
  const missing = await screen.findByRole('region', { name: 'Lo que falta por pagar' })

  expect(missing.textContent).toContain('Plan celular$15.50')
})

test('a payment that is missing three times stands there three times, so that the rows make the sum', async () => {
  recurring = [{ id: 'r', description: 'Clase', amount: 15, status: 'active', refused: [] }]
  dueDays = ['21', '07', '14'].map((day) => `${month}-${day}`)
  await show()
  const missing = await screen.findByRole('region', { name: 'Lo que falta por pagar' })

  expect(within(missing).getByRole('banner').textContent).toContain('$45.00')
  expect(
    within(missing)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Clase$15.00Falta, el 7', 'Clase$15.00Falta, el 14', 'Clase$15.00Falta, el 21'])
})

async function show() {
  renderWithToasts(
    <AddressProvider>
      <BudgetPage />
    </AddressProvider>,
  )
  return screen.findByRole('region', { name: 'Presupuesto del mes' })
}

async function rows() {
  const list = await screen.findByRole('list', { name: 'Por categoría' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}

function budgets() {
  return {
    month,
    limits: limits.map((limit) => ({ ...limit, carries_over: false, since: month, carried: 0 })),
    others,
  }
}

function sums() {
  const spending = [...limits, ...others].map(({ category, spent }) => [category, spent] as const)
  const before = [3, 2, 1].map((count) => monthSums(addMonths(month, -count), Object.entries(usual)))
  return {
    balance: 0,
    months: [...before, monthSums(month, spending)],
    days: [],
    monthly_limit: monthlyLimit,
  }
}

function monthSums(of: string, spending: readonly (readonly [string | null, number])[]) {
  const parts = spending.map(([category, amount]) => ({
    type: 'expense',
    category,
    recorded_by: category === 'Gasto' ? 'bank' : 'customer',
    amount,
    transactions: 1,
  }))
  return { month: of, balance: 0, sums: parts }
}

/** Sets or removes a limit, as the database does. */
function set({ category, monthly_limit }: { category: string; monthly_limit: number | null }) {
  const { spent } = [...limits, ...others].find((each) => each.category === category) ?? { spent: 0 }
  limits = limits.filter((each) => each.category !== category)
  others = others.filter((each) => each.category !== category)
  if (monthly_limit === null) others.push({ category, spent })
  else limits.push({ category, monthly_limit, spent })
}
