import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve, storeSession } from '#testing/page.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { AddressCard } from './address-card.tsx'

const newEmail = 'nueva@ejemplo.co'
const refusal = { error_code: 'reauthentication_needed', msg: 'Confirma tu contraseña para continuar.' }
const changes: unknown[] = []
let isProven: boolean

beforeEach(async () => {
  changes.length = 0
  isProven = false
  const session = storeSession()
  await serve((path, body, { method }) => {
    if (path !== '/auth/v1/user' || method !== 'PUT') return undefined
    const change = body as { email?: string }
    if (change.email === undefined) {
      isProven = true
      return Response.json(session.user)
    }
    changes.push(change)
    return isProven
      ? Response.json({ ...session.user, email: newEmail })
      : Response.json(refusal, { status: 403 })
  })
  render(
    <>
      <AddressCard newEmail={newEmail} />
      <Toaster />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Usar este email desde ya' }))
  await screen.findByRole('dialog', { name: 'Confirma que eres tú' })
})
test('a change of e-mail address is sent again after the customer has typed the password', async () => {
  await userEvent.type(screen.getByLabelText('Contraseña'), 'la mía')
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))

  expect(await screen.findAllByText(`Desde ahora entras con ${newEmail}.`)).not.toHaveLength(0)
  expect(changes).toMatchObject([{ email: newEmail }, { email: newEmail }])
})

test('closing the dialog that asks for the password changes nothing and does not show a failure', async () => {
  await userEvent.keyboard('{Escape}')

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const button = screen.getByRole('button', { name: 'Usar este email desde ya' })
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(screen.queryByText('No se pudo cambiar el email')).toBeNull()
  expect(changes).toHaveLength(1)
})
