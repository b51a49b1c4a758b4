// @vitest-environment happy-dom
import { configure, fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { laura, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { ProfilePage } from './profile-page.tsx'

// Testing Library's default timeout of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 15_000 })

const sent: string[] = []
let holders: { full_name: string | null }[] = []

test('a person without a name is called Usuario', async () => {
  await open('')

  expect(screen.getByText('Usuario')).not.toBeNull()
})

test('first and last name are required, and each field shows its own error', async () => {
  await open('Laura Restrepo')
  await userEvent.click(screen.getByRole('button', { name: 'Editar Perfil' }))
  await userEvent.clear(await screen.findByLabelText('Nombre'))
  await userEvent.type(screen.getByLabelText('Nombre'), ' ')
  await userEvent.clear(screen.getByLabelText('Apellido'))
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))

  expect(screen.getByText('Escribe tu nombre.')).not.toBeNull()
  expect(screen.getByText('Escribe tu apellido.')).not.toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Nombre'))
  expect(sent).not.toContain('/auth/v1/user')
})

test('the avatar service receives only the initials, and the page draws the initials if the service does not answer', async () => {
  await open('Laura Restrepo Gómez', 'https://avatars.test/?name={initials}')
  const picture = document.querySelector('img')
  if (picture === null) throw new Error('The profile has no picture.')
  expect(picture.src).toBe('https://avatars.test/?name=LG')
  expect(picture.referrerPolicy).toBe('no-referrer')

  fireEvent.error(picture)

  expect(screen.getByText('LG')).not.toBeNull()
  expect(document.querySelector('img')).toBeNull()
})

test('a customer whose name the bank verified reads that the form changes only the greeting', async () => {
  holders = [{ full_name: 'Laura Restrepo Gómez' }]
  await open('Laura')
  expect(await screen.findByText('Tu nombre en el banco: Laura Restrepo Gómez')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Editar Perfil' }))

  await screen.findByText(/^El banco verificó tu nombre: Laura Restrepo Gómez\. Aquí cambias solo/)
})

test('a customer whose name the bank did not verify reads nothing about a verified name', async () => {
  holders = [{ full_name: null }]
  await open('Laura Restrepo')
  await userEvent.click(screen.getByRole('button', { name: 'Editar Perfil' }))
  await screen.findByLabelText('Nombre')
  await vi.waitFor(() => expect(sent).toContain('/rest/v1/account_holders'))

  expect(screen.queryByText(/^Tu nombre en el banco/)).toBeNull()
  expect(screen.queryByText(/^El banco verificó tu nombre/)).toBeNull()
})

async function open(full_name: string, avatarUrl = '') {
  sent.length = 0
  await serve(
    (path) => {
      sent.push(path)
      if (path === '/rest/v1/account_holders') return Response.json(holders)
      return path.startsWith('/rest/') ? Response.json([]) : undefined
    },
    { avatarUrl },
  )
  const user = { ...laura, user_metadata: { full_name }, created_at: '2024-11-23T12:00:00Z' }
  const session = {
    session: { status: 'signed-in', user },
    deadLink: null,
    pendingLink: null,
    settleLink: () => undefined,
    isCheckingUser: false,
    finishRecovery: () => undefined,
  } as const
  renderPart(
    <AddressProvider>
      <SessionContext value={session}>
        <ProfilePage />
      </SessionContext>
    </AddressProvider>,
  )
}
