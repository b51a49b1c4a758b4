import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { ExpenseCard } from './expense-card.tsx'

const asked: { method: string; query: string; body: unknown }[] = []
let remembered: { description: string; category: string }[]
/**
 * Responses to the next requests that record an expense. Once these responses are used up, the server answers with the
 * new row.
 */
let answers: (() => Response)[]
let rules: { contains: string; category: string }[]

beforeEach(async () => {
  asked.length = 0
  answers = []
  remembered = [{ description: 'Taxi a casa', category: 'Transporte' }]
  rules = []
  await serve((path, body, { method, query }) => {
    asked.push({ method, query, body })
    const answer = method === 'POST' ? answers.shift() : undefined
    if (answer !== undefined) return answer()
    if (method === 'DELETE') return new Response(null, { status: 204 })
    if (path.endsWith('/categories')) return Response.json([{ name: 'Mascotas' }])
    if (path.endsWith('/category_rules')) return Response.json(rules)
    if (method === 'GET' && query.includes('&id=eq.'))
      return Response.json(transactionRow({ description: 'Ya registrado', id: 'nuevo' }))
    return Response.json(
      method === 'POST' ? transactionRow({ ...(body as object), id: 'nuevo' }) : remembered,
    )
  })
  renderWithToasts(<ExpenseCard userId="u" className="" />)
})

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
      id: expect.any(String),
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

test('if no category is proposed or chosen, the form shows and records the category Otro', async () => {
  expect(category().value).toBe('Otro')
  await userEvent.type(amount(), '12,5')
  await userEvent.type(description(), 'Veterinaria{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ amount: 12.5, category: 'Otro' }])
})

test('a proposed category does not replace a chosen category', async () => {
  await userEvent.selectOptions(category(), 'Viajes')
  await userEvent.type(description(), 'Taxi a casa')
  await userEvent.type(amount(), '7{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ category: 'Viajes' }])
})

test('the toast has a button that undoes the expense', async () => {
  await userEvent.selectOptions(category(), 'Otro')
  await userEvent.type(description(), 'Regalo')
  await userEvent.type(amount(), '7{Enter}')

  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))

  await screen.findByText('Gasto deshecho')
  expect(asked.find(({ method }) => method === 'DELETE')?.query).toContain('id=eq.nuevo')
})

test('an expense whose answer is lost is sent again with the same id and recorded once', async () => {
  answers = [lose, () => Response.json({ code: '23505', message: 'duplicate key' }, { status: 409 })]
  await userEvent.type(description(), 'Regalo')
  await userEvent.type(amount(), '7{Enter}')
  const sentence = 'No llegó la respuesta. Inténtalo de nuevo con los mismos datos: no se hará dos veces.'
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2))

  await userEvent.click(screen.getByRole('button', { name: /^Reintentar: añadir gasto$/i }))

  await screen.findByText('Gasto añadido')
  expect(screen.getByText('Ya registrado')).not.toBeNull()
  const [first, second] = sent()
  expect(second).toEqual(first)
  expect(screen.queryByText(sentence)).toBeNull()
  expect(submit()).not.toBeNull()
})

test('a refused expense shows the reason without a retry button and keeps the typed text', async () => {
  answers = [() => Response.json({ code: 'FZ402', message: 'In English.' }, { status: 400 })]
  await userEvent.type(description(), 'Regalo')
  await userEvent.type(amount(), '7{Enter}')

  const sentence = 'Tus gastos no pueden dejar el saldo por debajo de un billón negativo.'
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2))
  expect(screen.getByRole('alert').textContent).toContain('No se pudo añadir el gasto')
  expect(screen.queryByRole('button', { name: /^Reintentar/ })).toBeNull()
  expect([description().value, amount().value]).toEqual(['Regalo', '7'])
})

test('an invalid amount shows an error beside the field, and the form keeps its input', async () => {
  await userEvent.type(description(), 'Regalo')
  for (const typed of ['0', '-5', 'NaN', '0.005', '1000000000000']) {
    await userEvent.clear(amount())
    await userEvent.type(amount(), `${typed}{Enter}`)
    expect(amount().getAttribute('aria-invalid'), typed).toBe('true')
    expect([description().value, amount().value]).toEqual(['Regalo', typed])
  }
  expect(sent()).toEqual([])
})

test('the form shows why an expense could not be recorded offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  answers = [lose]
  await userEvent.type(description(), 'Regalo')
  await userEvent.type(amount(), '7{Enter}')

  const sentence = 'Sin conexión. Inténtalo de nuevo cuando vuelva: no se hará dos veces.'
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2))
})

test('a customer cannot record an expense dated more than ten years ago', async () => {
  await userEvent.type(amount(), '7')
  await userEvent.type(description(), 'Regalo')
  fireEvent.change(date(), { target: { value: '2010-01-01' } })
  await userEvent.click(submit())

  expect(date().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Debe ser de los últimos diez años.')).not.toBeNull()
  expect(sent()).toEqual([])
})

test('a pasted description is sent as one line or refused at its field', async () => {
  await userEvent.type(amount(), '7')
  fireEvent.input(description(), { target: { value: 'Regalo\u0007' } })
  await userEvent.click(submit())

  expect(description().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Tiene caracteres que no se pueden guardar.')).not.toBeNull()
  expect(sent()).toEqual([])

  fireEvent.input(description(), { target: { value: 'Regalo\tde  Ana' } })
  await userEvent.click(submit())

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ description: 'Regalo de Ana' }])
})

test('a rule takes precedence over the categories of earlier expenses', async () => {
  rules = [{ contains: 'taxi', category: 'Viajes' }]
  await userEvent.type(description(), 'Taxi a casa')

  await waitFor(() => expect(category().value).toBe('Viajes'))
  await userEvent.selectOptions(category(), 'Mascotas')
  await userEvent.type(amount(), '7{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent()).toMatchObject([{ category: 'Mascotas' }])
})

test('the transactions, categories and rules for category proposals are read only once', async () => {
  await userEvent.type(description(), 'Taxi de regreso')

  await waitFor(() => expect(category().value).toBe('Transporte'))
  const limits = asked.map(({ query }) => new URLSearchParams(query).get('limit'))
  expect(limits).toHaveLength(3)
  expect(limits).toContain('300')
})

function lose(): never {
  throw new TypeError('Failed to fetch')
}

const sent = () => asked.filter(({ method }) => method === 'POST').map(({ body }) => body)
const amount = () => screen.getByLabelText<HTMLInputElement>('Monto')
const description = () => screen.getByLabelText<HTMLInputElement>('Descripción')
const date = () => screen.getByLabelText<HTMLInputElement>('Fecha')
const category = () => screen.getByLabelText<HTMLSelectElement>(/^Categoría/)

/** The button at the end of the form. On a phone, a button with the same words opens the form. */
function submit(): HTMLElement {
  const buttons = screen.getAllByRole<HTMLButtonElement>('button', { name: 'Añadir gasto' })
  return buttons.find(({ type }) => type === 'submit') ?? expect.fail('The form has no button.')
}
