import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { RoleDialog } from './dialogs.tsx'

const changes: unknown[] = []
let isProven: boolean

const refusal = { code: 'reauthentication_needed', message: 'Confirma tu contraseña para continuar.' }

beforeEach(async () => {
  changes.length = 0
  isProven = false
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  await serve((path, body, { method }) => {
    if (path === '/rest/v1/profiles' && method === 'PATCH') {
      changes.push(body)
      return isProven ? undefined : Response.json(refusal, { status: 403 })
    }
    if (path === '/auth/v1/user' && method === 'PUT') {
      isProven = true
      return Response.json(session.user)
    }
    return undefined
  })
  const user = { id: 'u2', name: 'Ana', role: 'user' } as never
  renderPart(
    <AddressProvider>
      <RoleDialog user={user} onClose={() => undefined} />
      <Toaster />
    </AddressProvider>,
  )
  await userEvent.selectOptions(screen.getByLabelText('Rol'), 'Admin')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  await screen.findByRole('dialog', { name: 'Confirma que eres tú' })
})

test('a role change is sent again after the administrator has typed the password', async () => {
  expect(screen.getByText('Escribe tu contraseña para cambiar un rol.')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Contraseña'), 'la mía')
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))

  expect((await screen.findAllByText('Rol de usuario actualizado.')).length).toBeGreaterThan(0)
  expect(changes).toEqual([{ role: 'admin' }, { role: 'admin' }])
})

test('closing the dialog that asks for the password leaves the form unchanged and shows the bank’s message', async () => {
  await userEvent.keyboard('{Escape}')

  expect((await screen.findAllByText('Error al actualizar rol')).length).toBeGreaterThan(0)
  expect(screen.getAllByText('Confirma tu contraseña para continuar.').length).toBeGreaterThan(0)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirma que eres tú' })).toBeNull())
  expect(screen.getByLabelText<HTMLSelectElement>('Rol').value).toBe('admin')
  expect(changes).toHaveLength(1)
})
