import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Customer } from '#staff/customers/customer.ts'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { AccessActions } from './access-actions.tsx'

const orders: unknown[] = []
const proofs: unknown[] = []
let refusals: { status: number; body: object }[]
/** Whether the bank answers that the act waits for another administrator. */
let isWaiting: boolean

beforeEach(async () => {
  orders.length = 0
  proofs.length = 0
  refusals = []
  isWaiting = false
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  await serve(
    (path, body, { method }) => {
      const [, door] = /^\/(?:rest\/v1\/rpc|functions\/v1)\/([a-z_-]+)$/.exec(path) ?? []
      if (door === 'waits_for_approval') return Response.json(isWaiting)
      if (door !== undefined) {
        orders.push([door, body])
        const refusal = refusals.shift()
        return refusal && Response.json(refusal.body, { status: refusal.status })
      }
      if (path === '/auth/v1/user' && method === 'PUT') {
        proofs.push(body)
        return Response.json(session.user)
      }
      return undefined
    },
    { hasApprovals: true },
  )
})

const laura = {
  id: 'u1',
  name: 'Laura',
  email: 'laura@ejemplo.co',
  role: 'user',
  confirmed_at: '2026-01-01T00:00:00Z',
  last_sign_in_at: '2026-01-01T00:00:00Z',
  banned_until: null,
  sessions: [],
  has_second_factor: true,
  email_change: null,
} as unknown as Customer

function show(change: Partial<Customer> = {}) {
  renderPart(
    <AddressProvider>
      <AccessActions customer={{ ...laura, ...change }} />
      <Toaster />
    </AddressProvider>,
  )
}
const offered = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const press = async (name: string) =>
  userEvent.click((await screen.findAllByRole('button', { name })).at(-1) ?? document.body)

test.each<[string, Partial<Customer>, string[]]>([
  [
    'a customer with a second factor',
    {},
    ['Enviar enlace para nueva contraseña', 'Bloquear', 'Quitar verificación', 'Cambiar email'],
  ],
  [
    'a blocked customer with an open session',
    { banned_until: '2999-01-01T00:00:00Z', has_second_factor: false, sessions: [{}] as never },
    ['Desbloquear', 'Cerrar sesiones', 'Cambiar email'],
  ],
  [
    'a customer who never confirmed',
    { confirmed_at: null, has_second_factor: false },
    ['Reenviar confirmación', 'Bloquear', 'Cambiar email'],
  ],
  [
    'a customer whom staff created and who never signed in',
    { last_sign_in_at: null, has_second_factor: false },
    ['Reenviar invitación', 'Bloquear', 'Cambiar email'],
  ],
  [
    'a blocked customer who never signed in',
    { banned_until: '2999-01-01T00:00:00Z', last_sign_in_at: null, has_second_factor: false },
    ['Desbloquear', 'Cambiar email'],
  ],
  [
    'a customer with a pending change of address',
    { has_second_factor: false, email_change: { email: 'otra@ejemplo.co' } as never },
    ['Enviar enlace para nueva contraseña', 'Bloquear', 'Cambiar email', 'Cancelar cambio de email'],
  ],
  ['an administrator', { role: 'admin' }, ['Bloquear']],
])('staff see only the actions that fit %s', (_, change, buttons) => {
  show(change)

  expect(offered()).toEqual(buttons)
})

test('an action that requires the password is sent again after staff have entered the password', async () => {
  const body = { message: 'Confirma tu contraseña para continuar.', code: 'reauthentication_needed' }
  refusals = [{ status: 403, body }]
  show()
  await press('Quitar verificación')
  await screen.findByRole('dialog', { name: 'Quitar la verificación en dos pasos' })
  await press('Quitar verificación')

  await screen.findByRole('dialog', { name: 'Confirma que eres tú' })
  expect(screen.getByText('Escribe tu contraseña para cambiar el acceso de esta persona.')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Contraseña'), 'la mía')
  await press('Continuar')

  expect((await screen.findAllByText('Verificación quitada')).length).toBeGreaterThan(0)
  expect(proofs).toMatchObject([{ current_password: 'la mía' }])
  const order = ['reset_factor', { user_id: 'u1', idempotency_key: expect.any(String) as string }]
  expect(orders).toEqual([order, order])
})

test('staff send a link for a new password, and the page says where it went', async () => {
  show()
  await press('Enviar enlace para nueva contraseña')

  expect(
    await screen.findAllByText('Enviamos un enlace a laura@ejemplo.co; vence en 60 minutos.'),
  ).not.toEqual([])
  expect(orders).toEqual([['manage-users', { action: 'resend', userId: 'u1' }]])
})

test('the removal of a second factor that waits for another administrator says so', async () => {
  isWaiting = true
  show()
  await press('Quitar verificación')
  await screen.findByRole('dialog', { name: 'Quitar la verificación en dos pasos' })
  await press('Quitar verificación')

  expect((await screen.findAllByText('Espera a otro administrador')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Verificación quitada')).toBeNull()
})

test('a refused e-mail address stays in its field, with the reason beside it', async () => {
  refusals = [{ status: 422, body: { error: 'Ya existe un usuario con ese email.' } }]
  show()
  await press('Cambiar email')
  const field = await screen.findByLabelText('Email nuevo')
  await userEvent.type(field, 'otra@ejemplo.co')
  await press('Cambiar email')

  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(orders).toEqual([
    ['manage-users', { action: 'change_email', userId: 'u1', email: 'otra@ejemplo.co' }],
  ])
  expect(field).toHaveProperty('value', 'otra@ejemplo.co')
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toBe('Ya existe un usuario con ese email.')
})

test('a block requires a reason', async () => {
  show()
  await press('Bloquear')
  const field = await screen.findByLabelText('Motivo')
  await press('Bloquear')

  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(orders).toEqual([])
  await userEvent.selectOptions(field, 'Orden de una autoridad')
  await press('Bloquear')
  await waitFor(() =>
    expect(orders).toMatchObject([['block_user', { user_id: 'u1', reason: 'legal_order', hours: 24 }]]),
  )
})

test('the block of an administrator that waits for another administrator says so', async () => {
  isWaiting = true
  show({ role: 'admin' })
  await press('Bloquear')
  await userEvent.selectOptions(await screen.findByLabelText('Motivo'), 'Actividad sospechosa')
  await press('Bloquear')

  expect((await screen.findAllByText('Espera a otro administrador')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Acceso bloqueado')).toBeNull()
})
