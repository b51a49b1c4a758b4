import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import type { Correction } from '#money/details/corrections.tsx'
import { CorrectDialog } from './correct-dialog.tsx'

const reload = vi.fn()
const close = vi.fn()

afterEach(() => {
  reload.mockReset()
  close.mockReset()
  clearPage()
})

const mistake = transactionRow({ type: 'deposit', amount: 1_450_000, recorded_by: 'bank' })
const sent: unknown[] = []

async function open(answer: Response, corrections: readonly Correction[] = [], displayCurrency = 'USD') {
  sent.length = 0
  await serve(
    (path, body) => {
      if (path !== '/rest/v1/rpc/correct_transaction') return undefined
      sent.push(body)
      return answer
    },
    { displayCurrency },
  )
  renderPart(
    <AddressProvider>
      <CorrectDialog
        transaction={mistake}
        customer={{ name: 'Laura Restrepo', largest: { deposit: 1_450_000, expense: null }, corrections }}
        reload={reload}
        onClose={close}
      />
      <Toaster />
    </AddressProvider>,
  )
}

async function correct(answer: Response) {
  await open(answer)
  await userEvent.type(screen.getByLabelText('Motivo'), 'Monto repetido{Enter}')
}

test('the correct amount and a frequent reason are sent in one request', async () => {
  await open(Response.json('6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'))

  await userEvent.type(screen.getByLabelText('Monto correcto'), '1450')
  await screen.findByText('Laura verá +$1,450.00 (dólares)')
  await userEvent.click(screen.getByRole('button', { name: 'Monto equivocado' }))
  await userEvent.click(screen.getByRole('button', { name: 'Corregir a $1,450.00' }))

  await screen.findByText('Movimiento corregido')
  expect(sent).toEqual([
    {
      user_id: 'u',
      transaction_id: mistake.id,
      reason: 'Monto equivocado',
      right_amount: 1450,
      idempotency_key: expect.any(String) as string,
    },
  ])
})

test('an unusual amount is sent only after a question', async () => {
  await open(Response.json(null))

  await userEvent.type(screen.getByLabelText('Motivo'), 'Monto equivocado')
  await userEvent.type(screen.getByLabelText('Monto correcto'), '145000000{Enter}')
  expect(sent).toEqual([])
  await screen.findByRole('alertdialog', {
    name: 'Son 100 veces su depósito habitual. ¿Depositar de todos modos?',
  })
  await userEvent.click(screen.getByRole('button', { name: 'Depositar' }))

  await screen.findByText('Movimiento corregido')
  expect(sent).toMatchObject([{ right_amount: 145_000_000 }])
})

test('a correction to the same amount is refused', async () => {
  await open(Response.json(null))

  await userEvent.type(screen.getByLabelText('Monto correcto'), '1450000')
  await userEvent.type(screen.getByLabelText('Motivo'), 'Monto repetido{Enter}')

  await screen.findByText('El movimiento ya tiene ese monto.')
  expect(sent).toEqual([])
})

test('the correction names the transaction with its date and its old amount', async () => {
  await open(Response.json(null))

  expect(screen.getByText(/^Algo · 20 nov/).textContent).toMatch(/^Algo · 20 nov.* · \+\$1,450,000\.00$/)
})

test('staff cannot change the amount of a correction', async () => {
  const itself = {
    id: mistake.id,
    corrected_id: 'first',
    replacement_id: null,
    reason: 'Duplicado',
    corrected_by: null,
    corrected_at: '2026-11-03T15:00:00Z',
  }
  await open(Response.json(null), [itself])

  expect(screen.queryByLabelText('Monto correcto')).toBeNull()
})

test('the dialog of a bank in pesos does not mention dollars', async () => {
  await open(Response.json(null), [], 'COP')

  await userEvent.type(screen.getByLabelText('Monto correcto'), '1450')

  expect(screen.getByText(/Se guardará/).textContent.replaceAll(/\s/g, ' ')).toBe('Se guardará $ 1.450,00')
  expect(screen.getByText('COP')).toBeDefined()
})

test('the customer’s data are read again after a correction', async () => {
  await correct(Response.json('6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'))

  await screen.findByText('Movimiento corregido')
  expect(close).toHaveBeenCalledTimes(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('the customer’s data are read again after a refused correction, and the reason stays on screen', async () => {
  await correct(Response.json({ code: 'PT409', message: 'Este movimiento ya se corrigió.' }, { status: 409 }))

  await screen.findByText('Este movimiento ya se corrigió.')
  expect(reload).toHaveBeenCalledTimes(1)
  expect(close).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Motivo').value).toBe('Monto repetido')
})
