// @vitest-environment happy-dom
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { CreateUserDialog } from './dialogs.tsx'

// Testing Library's default timeout of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 15_000 })

afterEach(clearPage)

test('a name longer than 120 characters is refused at its field, and a name of 120 characters is sent', async () => {
  const sent: unknown[] = []
  await serve((_, body) => void sent.push(body))
  renderPart(
    <AddressProvider>
      <CreateUserDialog onClose={() => undefined} />
    </AddressProvider>,
  )
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

const fill = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const create = () => userEvent.click(screen.getByRole('button', { name: 'Crear usuario' }))
