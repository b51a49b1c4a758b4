// @vitest-environment happy-dom
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { ExpenseCard } from './expense-card.tsx'

// Testing Library waits one second by default, which is too short on a stalled machine.
configure({ asyncUtilTimeout: 15_000 })

const asked: { method: string; query: string; body: unknown }[] = []
let remembered: { description: string; category: string }[]
let rules: { contains: string; category: string }[]

beforeEach(async () => {
  asked.length = 0
  remembered = [{ description: 'Taxi a casa', category: 'Transporte' }]
  rules = []
  await serve((path, body, { method, query }) => {
    asked.push({ method, query, body })
    if (method === 'DELETE') return new Response(null, { status: 204 })
    if (path.endsWith('/categories')) return Response.json([{ name: 'Mascotas' }])
    if (path.endsWith('/category_rules')) return Response.json(rules)
    return Response.json(
      method === 'POST' ? transactionRow({ ...(body as object), id: 'nuevo' }) : remembered,
    )
  })
  renderPart(
    <>
      <ExpenseCard userId="u" className="" />
      <Toaster />
    </>,
  )
})

afterEach(clearPage)

test('a customer can record an expense with an amount, a description and Enter', async () => {
  expect(asked).toEqual([])
  await userEvent.type(amount(), '1.900')
  await userEvent.tab()
  await userEvent.keyboard('Taxi al aeropuerto')
  await waitFor(() => expect(category().value).toBe('Transporte'))
  expect(screen.getByLabelText('Categoría propuesta')).toBe(category())
  await userEvent.keyboard('{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toEqual([
    {
      user_id: 'u',
      type: 'expense',
      description: 'Taxi al aeropuerto',
      amount: 1900,
      category: 'Transporte',
    },
  ])
  await waitFor(() => expect(document.activeElement).toBe(amount()))
  expect([amount().value, description().value, category().value]).toEqual(['', '', 'Otro'])
})

test('an expense without a proposal or a choice shows and records the category Otro', async () => {
  expect(category().value).toBe('Otro')
  await userEvent.type(amount(), '12,5')
  await userEvent.type(description(), 'Veterinaria{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ amount: 12.5, category: 'Otro' }])
})

test('a proposal does not replace a chosen category', async () => {
  await userEvent.selectOptions(category(), 'Viajes')
  await userEvent.type(description(), 'Taxi a casa')
  await userEvent.type(amount(), '7{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ category: 'Viajes' }])
})

test('the toast undoes the expense', async () => {
  await userEvent.selectOptions(category(), 'Otro')
  await userEvent.type(description(), 'Regalo')
  await userEvent.type(amount(), '7{Enter}')

  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Gasto deshecho')
  expect(asked.find(({ method }) => method === 'DELETE')?.query).toContain('id=eq.nuevo')
})

test('a customer cannot record an expense dated more than ten years ago', async () => {
  await userEvent.type(amount(), '7')
  await userEvent.type(description(), 'Regalo')
  fireEvent.change(date(), { target: { value: '2010-01-01' } })
  await userEvent.click(screen.getByRole('button', { name: 'Añadir gasto' }))

  expect(date().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Debe ser de los últimos diez años.')).not.toBeNull()
  expect(sent()).toEqual([])
})

test('a pasted description is sent as one line, or refused at its field', async () => {
  await userEvent.type(amount(), '7')
  fireEvent.input(description(), { target: { value: 'Regalo\u0007' } })
  await userEvent.click(screen.getByRole('button', { name: 'Añadir gasto' }))

  expect(description().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Tiene caracteres que no se pueden guardar.')).not.toBeNull()
  expect(sent()).toEqual([])

  fireEvent.input(description(), { target: { value: 'Regalo\tde  Ana' } })
  await userEvent.click(screen.getByRole('button', { name: 'Añadir gasto' }))

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ description: 'Regalo de Ana' }])
})

test('a rule wins over the categories of earlier expenses', async () => {
  rules = [{ contains: 'taxi', category: 'Viajes' }]
  await userEvent.type(description(), 'Taxi a casa')

  await waitFor(() => expect(category().value).toBe('Viajes'))
  await userEvent.selectOptions(category(), 'Mascotas')
  await userEvent.type(amount(), '7{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ category: 'Mascotas' }])
})

test('proposals need only one read of transactions and one each of categories and rules', async () => {
  await userEvent.type(description(), 'Taxi de regreso')

  await waitFor(() => expect(category().value).toBe('Transporte'))
  const limits = asked.map(({ query }) => new URLSearchParams(query).get('limit'))
  expect(limits).toHaveLength(3)
  expect(limits).toContain('300')
})

const sent = () => asked.filter(({ method }) => method === 'POST').map(({ body }) => body)
const amount = () => screen.getByLabelText<HTMLInputElement>('Monto')
const description = () => screen.getByLabelText<HTMLInputElement>('Descripción')
const date = () => screen.getByLabelText<HTMLInputElement>('Fecha')
const category = () => screen.getByLabelText<HTMLSelectElement>(/^Categoría/)
