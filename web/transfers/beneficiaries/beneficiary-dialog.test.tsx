import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { accountRow, beneficiaryRow } from '#testing/transfer-rows.ts'
import { BeneficiaryDialog } from './beneficiary-dialog.tsx'

let calls: [name: string, body: unknown][]
const close = vi.fn()
const destination = {
  bank: '1007',
  kind: 'checking',
  number: '12345678901',
  document_kind: 'NIT',
  document: '8909039388',
}

beforeEach(async () => {
  calls = []
  await serve((path, body, { method }) => {
    const name = path.split('/').at(-1) ?? ''
    if (name === 'transfer_account') return Response.json(accountRow())
    if (method !== 'POST') return Response.json([])
    calls.push([name, body])
    const added = beneficiaryRow({
      id: 'b',
      name: 'Ferretería',
      address: null,
      destination,
      payee_name: 'Bancolombia ••••8901',
    })
    return Response.json({ ...added, ...(name === 'add_account_beneficiary' && { confirmed_at: null }) })
  })
})

afterEach(() => void close.mockReset())

test('an account at another bank is checked, added and confirmed', async () => {
  renderPart(<BeneficiaryDialog userId="u" ownAddress="ana@ejemplo.co" onClose={close} />)
  const add = () => userEvent.click(screen.getByRole('button', { name: 'Añadir y confirmar' }))
  await userEvent.selectOptions(screen.getByLabelText('Su cuenta está'), 'En otro banco')
  expect(screen.queryByLabelText('Email')).toBeNull()
  await userEvent.type(screen.getByLabelText('Titular'), 'Ferretería')
  await userEvent.selectOptions(screen.getByLabelText('Tipo de cuenta'), 'Corriente')
  await userEvent.type(screen.getByLabelText('Número de cuenta'), '12 34')
  await userEvent.selectOptions(screen.getByLabelText('Documento del titular'), 'NIT')
  await userEvent.type(screen.getByLabelText('Número del documento'), '890.903.938-7')
  await add()

  for (const refusal of [
    'Elige un banco.',
    'Escribe el número completo, solo con cifras.',
    'Escribe el NIT con su dígito de verificación, como 890903938-8.',
  ])
    expect(screen.getByText(refusal)).not.toBeNull()
  expect(calls).toEqual([])

  await userEvent.selectOptions(screen.getByLabelText('Banco'), 'Bancolombia')
  await userEvent.type(screen.getByLabelText('Número de cuenta'), '567-8901')
  await userEvent.type(screen.getByLabelText('Número del documento'), '{Backspace}8')
  await add()

  await waitFor(() => expect(close).toHaveBeenCalled())
  expect(calls).toEqual([
    [
      'add_account_beneficiary',
      {
        id: expect.any(String),
        name: 'Ferretería',
        bank: '1007',
        account_kind: 'checking',
        account_number: '12345678901',
        document_kind: 'NIT',
        document: '8909039388',
      },
    ],
    ['confirm_beneficiary', { id: 'b' }],
  ])
})
