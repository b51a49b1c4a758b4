import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SecondFactor } from '#people/session/second-factor.ts'
import { serve, storeSession } from '#testing/page.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { CodePage } from './code-page.tsx'

const factor = (type: 'totp' | 'webauthn'): SecondFactor => ({
  id: type,
  factor_type: type,
  friendly_name: type,
  created_at: '2026-11-23T12:00:00Z',
})
const question = {
  id: 'q1',
  type: 'webauthn',
  expires_at: 1,
  webauthn: {
    type: 'request',
    credential_options: { publicKey: { challenge: 'AAAA', rpId: 'banco.test', allowCredentials: [] } },
  },
}

let answers: unknown[]
let verify: () => Response
const get = vi.fn<() => Promise<unknown>>()

beforeEach(async () => {
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {})
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } })
  const stored = storeSession()
  answers = []
  verify = () => Response.json({ ...stored, refresh_token: 'next' })
  await serve((path, body) => {
    if (path.endsWith('/challenge')) return Response.json(question)
    if (!path.endsWith('/verify')) return undefined
    answers.push(body)
    return verify()
  })
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials')
  get.mockReset()
})

function open(...factors: SecondFactor[]) {
  openAs({ isRecovering: false }, factors)
}

function openAs({ isRecovering }: { isRecovering: boolean }, factors: SecondFactor[]) {
  render(
    <>
      <CodePage factors={factors} isRecovering={isRecovering} />
      <Toaster />
    </>,
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('the page offers the passkey first, then the app’s code and recovery codes', async () => {
  open(factor('totp'), factor('webauthn'))

  expect(screen.getByRole('heading', { name: 'Usa tu llave de acceso' })).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Usar llave de acceso' }))
  await press('Usar el código de la aplicación')
  expect(document.activeElement).toBe(screen.getByLabelText('Código'))
  await press('No tengo mi teléfono: usar un código de recuperación')
  expect(screen.getByLabelText('Código de recuperación')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Usar llave de acceso' })).toBeDefined()
})

test('the page sends the browser’s passkey response to the bank', async () => {
  get.mockResolvedValue({ id: 'k', toJSON: () => ({ id: 'k' }) })
  open(factor('webauthn'))

  await press('Usar llave de acceso')

  expect(await screen.findByText('¡Bienvenido de nuevo! 🎉')).toBeDefined()
  expect(answers).toMatchObject([
    { challenge_id: 'q1', webauthn: { type: 'request', credential_response: { id: 'k' } } },
  ])
})

test('dismissing the browser’s passkey prompt is not reported as a failure', async () => {
  get.mockRejectedValue(new DOMException('closed', 'NotAllowedError'))
  open(factor('webauthn'))

  await press('Usar llave de acceso')

  expect((await screen.findByText(/^No se usó ninguna llave\./)).getAttribute('role')).toBe('status')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(answers).toEqual([])
})

test('a refused passkey shows a message in Spanish', async () => {
  get.mockResolvedValue({ id: 'k', toJSON: () => ({ id: 'k' }) })
  verify = () =>
    Response.json(
      { code: 'mfa_verification_failed', message: 'no' },
      { status: 422, headers: { 'x-supabase-api-version': '2024-01-01' } },
    )
  open(factor('webauthn'))

  await press('Usar llave de acceso')

  expect(await screen.findByText('Esa llave de acceso no sirve para esta cuenta.')).toBeDefined()
})

test('a customer who has lost the phone can start the recovery with the keyboard', async () => {
  openAs({ isRecovering: true }, [factor('totp')])

  await press('No tengo mi teléfono ni mis códigos')
  expect(document.activeElement?.textContent).toContain('Quitarla en 72 horas')
  await press('Quitarla en 72 horas')

  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^La quitaremos el/))
})

test('the page asks for a code if the browser does not support passkeys', () => {
  vi.stubGlobal('PublicKeyCredential', undefined)
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  open(factor('webauthn'))

  expect(screen.getByLabelText('Código de recuperación')).toBeDefined()
  expect(screen.getByText(/^Este navegador no puede usar tu llave de acceso/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Usar llave de acceso' })).toBe(null)
})
