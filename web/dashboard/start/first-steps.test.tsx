import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderPart, signedIn } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { FirstSteps } from './first-steps.tsx'

const now = new Date('2026-11-28T15:00:00Z')

test('a new customer sees four steps, of which the first open one has the filled button', async () => {
  await show({ name: '' })

  expect(steps()).toEqual([
    '1Anota un gastoLo que pagas en efectivo o desde otro bancoAnotar',
    '2Fija tu presupuesto¿Cuánto quieres gastar al mes?Fijar',
    '3Trae tus movimientosArchivo de otro banco: CSV, OFX o QIFImportar',
    '4¿Cómo te llamas?Sale en tus extractosEscribir',
  ])
  expect(filled()).toEqual(['Anotar'])
  expect(screen.getByText('0 de 4')).toBeDefined()
})

test('after the first expense the steps stay, and the first one names the expense', async () => {
  await show({ name: '', noted: 'Almuerzo' })

  expect(steps()[0]).toBe('Anota un gastoAlmuerzo, $12.50Hecho')
  expect(filled()).toEqual(['Fijar'])
  expect(screen.getByText('1 de 4')).toBeDefined()
})

test.each([
  ['Fijar', 'Presupuesto Mensual'],
  ['Escribir', 'Editar Perfil'],
])('the button %s opens the dialog %s', async (button, dialog) => {
  await show({ name: '' })

  await userEvent.click(screen.getByRole('button', { name: button }))

  expect(await screen.findByRole('dialog', { name: dialog })).toBeDefined()
})

test('an import ticks the step of the movements', async () => {
  await show({ name: 'Laura', noted: 'Almuerzo', origin: 'import' })

  expect(screen.getByText('3 de 4')).toBeDefined()
})

test('the steps are hidden on this device once the customer hides them', async () => {
  await show({ name: '' })

  await userEvent.click(screen.getByRole('button', { name: 'Ocultar' }))

  expect(screen.queryByText('Empieza aquí')).toBeNull()
  expect(window.localStorage.getItem('finanzas-start-hidden')).toBe('u')
})

test('the steps end when all four are done', async () => {
  await show({ name: 'Laura', noted: 'Almuerzo', month: '2026-10', limit: 300, isShown: false })

  expect(screen.queryByText('Empieza aquí')).toBeNull()
})

const steps = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

const filled = () =>
  screen
    .getAllByRole('button')
    .filter(({ className }) => className.includes('bg-primary '))
    .map(({ textContent }) => textContent)

type Shown = {
  name: string
  noted?: string
  month?: string
  origin?: 'own' | 'import'
  limit?: number
  isShown?: boolean
}

/** Shows the card of a customer who may have noted one expense. */
async function show({ name, noted, month = '2026-11', origin = 'own', limit, isShown = true }: Shown) {
  window.localStorage.removeItem('finanzas-start-hidden')
  const sum = { type: 'expense', category: 'Otro', recorded_by: 'customer', transactions: 1, amount: 12.5 }
  const months = noted === undefined ? [] : [{ month, balance: -12.5, sums: [sum] }]
  await serve((path) => {
    if (path.endsWith('/transactions'))
      return Response.json(
        noted === undefined ? [] : [transactionRow({ description: noted, amount: 12.5, origin })],
      )
    if (path.endsWith('/rpc/sum_transactions'))
      return Response.json({ balance: 0, months, days: [], monthly_limit: limit ?? null })
    return undefined
  })
  const client = createQueryClient()
  renderPart(
    <AddressProvider>
      <SessionContext value={signedIn({ user_metadata: { full_name: name } })}>
        <FirstSteps userId="u" now={now} className="" />
      </SessionContext>
    </AddressProvider>,
    client,
  )
  if (isShown) await screen.findByText('Empieza aquí')
  else await expect.poll(() => client.isFetching()).toBe(0)
}
