import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve, storeSession } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { CreateUserDialog, RoleDialog } from './dialogs.tsx'

const sent: unknown[] = []

test('a name longer than 120 characters is refused at its field, and a name of 120 characters is sent', async () => {
  await open()
  fill('Email', 'ana@banco.example')
  fill('Contraseña', 'secreta larga')
  fill('Nombre completo', 'é'.repeat(121))
  await create()

  expect(screen.getByLabelText('Nombre completo').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Usa 120 caracteres como máximo para el nombre.')).not.toBeNull()
  expect(sent).toEqual([])

  fill('Nombre completo', 'é'.repeat(120))
  await create()

  await waitFor(() => expect(sent).toMatchObject([{ user_metadata: { full_name: 'é'.repeat(120) } }]))
})

test('a new user needs a name, an email and a password', async () => {
  await open()
  await create()

  for (const sentence of ['Escribe el nombre completo.', 'Escribe el email.', 'Escribe una contraseña.'])
    expect(screen.getByText(sentence)).not.toBeNull()
  expect(sent).toEqual([])
})

test('a refused creation shows the server’s message and keeps the typed email', async () => {
  await open(() => Response.json({ error: 'Ese email ya tiene cuenta.' }, { status: 409 }))
  fill('Nombre completo', 'Otra Marta')
  fill('Email', 'ana@banco.example')
  fill('Contraseña', 'secreta larga')
  await create()

  expect((await screen.findAllByText('Error al crear usuario')).length).toBeGreaterThan(0)
  expect(screen.getByRole('alert').textContent).toContain('Ese email ya tiene cuenta.')
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@banco.example')
})

test('the demotion of an administrator that waits for another administrator says so', async () => {
  storeSession()
  await serve((path) => (path === '/rest/v1/rpc/waits_for_approval' ? Response.json(true) : undefined), {
    hasApprovals: true,
  })
  renderPart(
    <AddressProvider>
      <RoleDialog user={{ id: 'u2', name: 'Ana', role: 'admin' } as never} onClose={() => undefined} />
      <Toaster />
    </AddressProvider>,
  )
  await userEvent.selectOptions(screen.getByLabelText('Rol'), 'Cliente')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))

  expect((await screen.findAllByText('Espera a otro administrador')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Rol de usuario actualizado.')).toBeNull()
})

async function open(answer: () => Response | undefined = () => undefined) {
  sent.length = 0
  await serve((_, body) => {
    sent.push(body)
    return answer()
  })
  renderPart(
    <AddressProvider>
      <CreateUserDialog onClose={() => undefined} />
      <Toaster />
    </AddressProvider>,
  )
}

const fill = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const create = () => userEvent.click(screen.getByRole('button', { name: 'Crear usuario' }))
