import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { laura, serve } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { customerKeys } from '#staff/customers/customer.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'
import type { LargestAmounts } from './unusual-amount.ts'

const sent: unknown[] = []
const corrected: unknown[] = []
const question = 'Son 1.000 veces su depósito habitual. ¿Depositar de todos modos?'

async function open(largest: LargestAmounts, id = 'u', answer: object = { id: 'i' }) {
  sent.length = 0
  await serve((path, body) => {
    if (path !== '/functions/v1/manage-transactions') return undefined
    sent.push(body)
    return Response.json(answer)
  })
  const client = createQueryClient()
  client.setQueryData(customerKeys.opened(id), { largest })
  renderPart(
    <AddressProvider>
      <TransactionDialog
        user={{ id, name: 'Laura Restrepo' }}
        nextAct={(registered) => ({ label: 'Corregir', onSelect: () => corrected.push(registered) })}
        onClose={() => undefined}
      />
      <Toaster />
    </AddressProvider>,
    client,
  )
  await userEvent.type(screen.getByLabelText('Descripción'), 'Nómina')
}

const type = (amount: string) => userEvent.type(screen.getByLabelText('Monto (COP)'), amount)
const button = (name: string) => screen.getByRole('button', { name })

test('an unusual deposit is sent only after a question', async () => {
  await open({ deposit: 1450, expense: 20 })
  await type('1450000')

  await userEvent.dblClick(button('Depositar $1,450,000.00 a Laura Restrepo'))
  await screen.findByRole('alertdialog', { name: question })
  expect(sent).toEqual([])
  await userEvent.click(button('Depositar'))

  await screen.findByText('Transacción registrada correctamente.')
  expect(sent).toMatchObject([
    { transactionData: { amount: 1_450_000, type: 'deposit', category: 'Deposito' } },
  ])
})

test('the customer’s largest amounts are read only once, after the user has typed an amount', async () => {
  const opened: unknown[] = []
  await serve((path, body) => {
    if (path !== '/rest/v1/rpc/open_customer') return undefined
    opened.push(body)
    return Response.json({ id: 'u', full_name: 'Laura', email: '', largest: { deposit: 10, expense: 10 } })
  })
  const client = createQueryClient()
  const show = () =>
    renderPart(
      <AddressProvider>
        <TransactionDialog user={{ id: 'u', name: 'Laura' }} onClose={() => undefined} />
      </AddressProvider>,
      client,
    )
  show()
  await userEvent.type(screen.getByLabelText('Descripción'), 'Nómina')
  expect(opened).toEqual([])
  await type('1450')
  await waitFor(() => expect(opened).toEqual([{ user_id: 'u' }]))
  cleanup()

  show()
  await userEvent.type(screen.getByLabelText('Descripción'), 'Nómina')
  await type('1450{Enter}')

  await screen.findByRole('alertdialog', { name: /^Son 145 veces/ })
  expect(opened).toHaveLength(1)
})

test('administrators learn that an account is their own before they register a transaction', async () => {
  await open({ deposit: null, expense: null }, laura.id)

  expect(screen.getByText(/^Es tu propia cuenta/)).not.toBeNull()
})

test('the toast after a deposit above the bank’s limit says that the deposit waits for another administrator', async () => {
  await open({ deposit: null, expense: null }, 'u', { id: 'i', status: 'waiting' })
  await type('1450{Enter}')

  await screen.findByText('Espera a otro administrador')
  expect(screen.queryByText('Transacción registrada correctamente.')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Corregir' })).toBeNull()
})

test('an amount that is changed after the question raises a new question', async () => {
  await open({ deposit: 1450, expense: 20 })
  await type('1450000')
  await userEvent.click(button('Depositar $1,450,000.00 a Laura Restrepo'))
  await userEvent.click(await screen.findByRole('button', { name: 'No, volver' }))

  await type('0')
  await userEvent.click(button('Depositar $14,500,000.00 a Laura Restrepo'))
  await screen.findByRole('alertdialog', { name: /^Son 10\.000 veces/ })

  expect(sent).toEqual([])
})

test('a key in the question does not change what the button says', async () => {
  // Unlike a browser, the test DOM also reads the fields of a disabled fieldset.
  class BrowserFormData extends FormData {
    constructor(form?: HTMLFormElement) {
      super(form?.querySelector('fieldset:disabled') ? undefined : form)
    }
  }
  vi.stubGlobal('FormData', BrowserFormData)
  await open({ deposit: 1, expense: 1 })
  await userEvent.click(screen.getByLabelText('Gasto'))
  await type('1450000')
  const names = screen.getByRole('button', { name: /1,450,000\.00/ }).textContent
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('alertdialog')

  await userEvent.keyboard('{Shift}')
  await userEvent.click(button('No, volver'))

  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('button', { name: /1,450,000\.00/ }).textContent).toBe(names)
})

test.each([
  ['twenty times the largest one', { deposit: 1450, expense: null }, '29000'],
  ['the first one', { deposit: null, expense: 3 }, '1450000'],
])('a deposit that is %s is sent with a single press', async (_, largest, amount) => {
  await open(largest)
  await type(`${amount}{Enter}`)

  await screen.findByText('Transacción registrada correctamente.')
  expect(sent).toHaveLength(1)
})

test('the toast after a deposit has a button to correct the deposit', async () => {
  await open({ deposit: null, expense: null })
  await type('1450{Enter}')

  await screen.findByText('Depositaste $1,450.00 a Laura Restrepo')
  await userEvent.click(button('Corregir'))

  const [{ transactionData }] = sent as [{ transactionData: { date: string } }]
  const { date } = transactionData
  expect(date).not.toBe('')
  expect(corrected).toEqual([
    { id: 'i', user_id: 'u', type: 'deposit', amount: 1450, description: 'Nómina', date },
  ])
})

test('a transaction requires an amount and a description', async () => {
  await open({ deposit: null, expense: null })
  await userEvent.clear(screen.getByLabelText('Descripción'))
  await userEvent.click(button('Registrar'))

  expect(screen.getByText('Escribe un monto.')).not.toBeNull()
  expect(screen.getByText('Escribe una descripción.')).not.toBeNull()
  expect(sent).toEqual([])
})

test('a refusal shows the server’s message, and the corrected transaction has a new time and a numeric amount', async () => {
  await open({ deposit: null, expense: null })
  const registered: { transactionData: { amount: unknown; date: string } }[] = []
  await serve((path, body) => {
    if (path !== '/functions/v1/manage-transactions') return undefined
    registered.push(body as (typeof registered)[number])
    return registered.length === 1
      ? Response.json({ error: 'La descripción no es válida.' }, { status: 400 })
      : Response.json({ id: 'i' })
  })
  await type('1,900.00{Enter}')
  expect((await screen.findAllByText('Error en la transacción')).length).toBeGreaterThan(0)
  expect(screen.getByRole('alert').textContent).toContain('La descripción no es válida.')
  expect(screen.getByLabelText<HTMLInputElement>('Descripción').value).toBe('Nómina')
  await userEvent.type(screen.getByLabelText('Descripción'), ' de noviembre{Enter}')

  await screen.findByText('Transacción registrada correctamente.')
  const [refused, corrected] = registered.map(({ transactionData }) => transactionData)
  expect(refused?.amount).toBe(1900)
  expect(Date.parse(corrected?.date ?? '')).toBeGreaterThan(Date.parse(refused?.date ?? ''))
})
