// @vitest-environment happy-dom
import { configure, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { CorrectDialog } from './correct-dialog.tsx'

configure({ asyncUtilTimeout: 15_000 })

const reload = vi.fn()
const close = vi.fn()

afterEach(() => {
  reload.mockReset()
  close.mockReset()
  clearPage()
})

async function correct(answer: Response) {
  await serve((path) => (path === '/rest/v1/rpc/correct_transaction' ? answer : undefined))
  renderPart(
    <>
      <CorrectDialog
        transaction={transactionRow({ type: 'deposit', recorded_by: 'bank' })}
        reload={reload}
        onClose={close}
      />
      <Toaster />
    </>,
  )
  await userEvent.type(screen.getByLabelText('Motivo'), 'Monto repetido{Enter}')
}

test('the customer is read again after a correction', async () => {
  await correct(Response.json('6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'))

  await screen.findByText('Movimiento corregido')
  expect(close).toHaveBeenCalledTimes(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('the customer is read again after a refused correction, and the reason stays on screen', async () => {
  await correct(Response.json({ code: 'PT409', message: 'Este movimiento ya se corrigió.' }, { status: 409 }))

  await screen.findByText('Este movimiento ya se corrigió.')
  expect(reload).toHaveBeenCalledTimes(1)
  expect(close).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Motivo').value).toBe('Monto repetido')
})
