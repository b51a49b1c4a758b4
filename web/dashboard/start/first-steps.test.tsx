import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderPart, signedIn } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { FirstSteps } from './first-steps.tsx'

const now = new Date('2026-11-28T15:00:00Z')
const joined = { created_at: '2026-11-20T12:00:00Z' }

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
  expect(document.activeElement?.textContent).toBe('Los primeros pasos ya no se muestran.')
  cleanup()
  await show({ name: '', isShown: false })
  expect(screen.queryByText(/primeros pasos|Empieza/)).toBeNull()
})

test('the device keeps no id of a customer who hid the steps, and another customer still sees them', async () => {
  await show({ name: '' })
  await userEvent.click(screen.getByRole('button', { name: 'Ocultar' }))

  const kept = JSON.stringify(window.localStorage)
  expect(kept).toMatch(/"finanzas-start-\d{1,5}":"hidden"/)
  expect(kept).not.toContain(customer)
  cleanup()
  await show({ name: '', userId: '7d9a0c4e-1111-4222-8333-944455556666' })
  expect(screen.getByText('0 de 4')).toBeDefined()
})

test('a step that was done stays done, even if the page can no longer see its work', async () => {
  await show({ name: '', noted: 'Almuerzo', origin: 'import' })
  expect(screen.getByText('2 de 4')).toBeDefined()
  cleanup()

  await show({ name: '' })

  expect(screen.getByText('2 de 4')).toBeDefined()
  expect(filled()).toEqual(['Fijar'])
})

test('a step that is done passes the focus to the next step', async () => {
  await show({ name: '' })
  await userEvent.click(screen.getByRole('button', { name: 'Fijar' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Límite mensual' }), '300')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))

  await expect.poll(() => document.activeElement?.textContent).toBe('Importar')
  expect(screen.getByText('1 de 4')).toBeDefined()
})

test.each([
  ['an administrator', { app_metadata: { role: 'admin' } }, {}],
  ['a customer of many years', { created_at: '2021-03-01T12:00:00Z' }, {}],
  ['a customer whom the bank brought along', {}, { month: '2026-06', noted: 'Nómina', recorder: 'bank' }],
] as const)('%s does not see the first steps', async (_, user, shown) => {
  await show({ name: '', user, ...shown, isShown: false })

  expect(screen.queryByText('Empieza aquí')).toBeNull()
})

test('a browser’s translation leaves the customer’s description alone', async () => {
  await show({ name: '', noted: 'Almuerzo' })

  expect(screen.getByText('Almuerzo').getAttribute('translate')).toBe('no')
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

const customer = '0f8fad5b-d9cb-469f-a165-70867728950e'

type Shown = {
  name: string
  userId?: string
  user?: object
  recorder?: 'bank' | 'customer'
  noted?: string
  month?: string
  origin?: 'own' | 'import'
  limit?: number
  isShown?: boolean
}

/** Shows the card of a customer who may have noted one expense. */
async function show({
  name,
  userId = customer,
  user,
  noted,
  month = '2026-11',
  recorder = 'customer',
  origin = 'own',
  limit,
  isShown = true,
}: Shown) {
  const sum = { type: 'expense', category: 'Otro', recorded_by: recorder, transactions: 1, amount: 12.5 }
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
      <SessionContext value={signedIn({ ...joined, user_metadata: { full_name: name }, ...user })}>
        <FirstSteps userId={userId} now={now} />
      </SessionContext>
    </AddressProvider>,
    client,
  )
  if (isShown) await screen.findByText('Empieza aquí')
  else await expect.poll(() => client.isFetching()).toBe(0)
}
