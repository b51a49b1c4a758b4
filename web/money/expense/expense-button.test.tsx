import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { transactionRow } from '#testing/transaction-row.ts'
import { ExpenseKey } from './expense-button.tsx'

const sent: unknown[] = []

beforeEach(async () => {
  sent.length = 0
  await serve((path, body, { method }) => {
    if (method !== 'POST' || !path.endsWith('/transactions')) return Response.json([])
    sent.push(body)
    return Response.json(transactionRow({ ...(body as object), id: 'nuevo' }))
  })
})

test('the N key opens the form for a new expense, which closes once the expense is recorded', async () => {
  renderWithToasts(<ExpenseKey userId="u" />)
  fireEvent.keyDown(document.body, { key: 'n' })
  await screen.findByRole('dialog', { name: 'Añadir gasto' })

  await userEvent.type(screen.getByLabelText('Monto'), '12,5')
  await userEvent.type(screen.getByLabelText('Descripción'), 'Pan{Enter}')

  await screen.findByText('Gasto añadido')
  expect(sent).toMatchObject([{ amount: 12.5, description: 'Pan', category: 'Otro' }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
