import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { CorrectHolderDialog } from './correct-holder-dialog.tsx'
import type { Customer } from './customer.ts'

const customer = {
  id: 'a',
  email: 'ana@correo.co',
  full_name: 'Ana Peres',
  document_kind: 'CC',
  document_number: '52123456',
  phone: null,
} as Customer

test('a correction sends values in the form that the bank stores, and a document without its kind is refused', async () => {
  const sent: unknown[] = []
  await serve((path, body) => {
    if (path.endsWith('/correct_holder')) sent.push(body)
    return Response.json(null)
  })
  renderPart(
    <>
      <CorrectHolderDialog customer={customer} onClose={() => undefined} />
      <Toaster />
    </>,
  )

  await userEvent.clear(screen.getByLabelText('Nombre'))
  await userEvent.type(screen.getByLabelText('Nombre'), '  Ana   Pérez ')
  await userEvent.type(screen.getByLabelText('Teléfono'), '12')
  await userEvent.selectOptions(screen.getByLabelText('Tipo de documento'), 'Sin registrar')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  expect(await screen.findByText('No es un número de ese tipo de documento.')).not.toBeNull()
  expect(screen.getByText('Escribe 10 dígitos, o el número con el + de su país.')).not.toBeNull()
  await userEvent.clear(screen.getByLabelText('Número de documento'))
  await userEvent.clear(screen.getByLabelText('Teléfono'))
  await userEvent.type(screen.getByLabelText('Teléfono'), '300 123 4567{Enter}')

  expect(await screen.findByText('Datos corregidos')).not.toBeNull()
  expect(sent).toEqual([
    { user_id: 'a', idempotency_key: expect.any(String), full_name: 'Ana Pérez', phone: '+573001234567' },
  ])
})
