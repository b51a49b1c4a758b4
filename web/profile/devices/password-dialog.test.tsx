import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve, storeSession } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const changes: unknown[] = []
let reply: { status: number; body: unknown; headers?: Record<string, string> }

beforeEach(async () => {
  changes.length = 0
  storeSession()
  await serve((path, body, { method }) => {
    if (path !== '/auth/v1/user' || method !== 'PUT') return undefined
    changes.push(body)
    return Response.json(reply.body, {
      status: reply.status,
      headers: { 'X-Supabase-Api-Version': '2024-01-01', ...reply.headers },
    })
  })
  renderPart(<PasswordDialog onClose={() => {}} />)
})
test('the customer must type the current password once and the new password twice', async () => {
  await fill({ current: '', next: 'una clave nueva', repeated: 'otra' })

  expect(sentenceAt('Contraseña actual')).toBe('Escribe tu contraseña actual.')
  expect(sentenceAt('Repite la contraseña nueva')).toBe('Las dos contraseñas no son iguales.')
  expect(document.activeElement).toBe(screen.getByLabelText('Contraseña actual'))
  expect(changes).toEqual([])
})

test.each([
  ['current_password_invalid', 'Contraseña actual', 'La contraseña actual no es correcta.'],
  ['weak_password', 'Contraseña nueva', 'Esta contraseña es muy fácil de adivinar. Elige otra.'],
  ['same_password', 'Contraseña nueva', 'La contraseña nueva debe ser distinta de la anterior.'],
])('the refusal %s appears at its field', async (code, label, sentence) => {
  reply = { status: 422, body: { code, message: 'In English.', weak_password: { reasons: [] } } }
  await fill({ current: 'la de ahora', next: 'una clave nueva' })

  await waitFor(() => expect(sentenceAt(label)).toBe(sentence))
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  expect(changes).toEqual([
    {
      password: 'una clave nueva',
      current_password: 'la de ahora',
      code_challenge: null,
      code_challenge_method: null,
    },
  ])
})

test('the form says how long to wait after too many attempts', async () => {
  const body = { code: 'over_request_rate_limit', message: 'In English.' }
  reply = { status: 429, body, headers: { 'Retry-After': '45' } }
  await fill({ current: 'la de ahora', next: 'una clave nueva' })

  expect(
    await screen.findByText('Fueron demasiados intentos. Espera 45 segundos antes del siguiente.'),
  ).toBeDefined()
})

async function fill({
  current,
  next,
  repeated = next,
}: {
  current: string
  next: string
  repeated?: string
}) {
  if (current !== '') await userEvent.type(screen.getByLabelText('Contraseña actual'), current)
  await userEvent.type(screen.getByLabelText('Contraseña nueva'), next)
  await userEvent.type(screen.getByLabelText('Repite la contraseña nueva'), repeated)
  await userEvent.click(screen.getByRole('button', { name: 'Guardar contraseña' }))
}

function sentenceAt(label: string): string | undefined {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby') ?? ''
  return document.getElementById(id)?.textContent ?? undefined
}
