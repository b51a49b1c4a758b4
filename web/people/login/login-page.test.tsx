import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { SessionContext, type DeadLink } from '#people/session/session.ts'
import { laura, serve } from '#testing/page.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { LoginPage } from './login-page.tsx'

const requests: { path: string; body: unknown }[] = []
let reply: { status: number; body: unknown; headers?: Record<string, string> }
let isHeld: Promise<void> | undefined

beforeEach(async () => {
  requests.length = 0
  isHeld = undefined
  await serve(async (path, body) => {
    requests.push({ path, body })
    await isHeld
    return Response.json(reply.body, {
      status: reply.status,
      headers: { 'X-Supabase-Api-Version': '2024-01-01', ...reply.headers },
    })
  })
  open()
})

function open(deadLink: DeadLink | null = null): void {
  render(
    <SessionContext
      value={{
        session: { status: 'signed-out' },
        deadLink,
        pendingLink: null,
        settleLink: () => {},
        isCheckingUser: false,
        finishRecovery: () => {},
      }}
    >
      <LoginPage />
      <Toaster />
    </SessionContext>,
  )
}

test.each([
  ['signup', 'regístrate otra vez'],
  ['recovery', 'Elige «¿Olvidaste tu contraseña?» y te enviaremos un enlace nuevo.'],
  ['invite', 'pide al banco otra invitación'],
  ['email_change', 'tu perfil dice qué email tiene tu cuenta'],
  ['address_confirmation', 'tu perfil dice qué email tiene tu cuenta'],
  ['address_cancellation', 'tu perfil dice qué email tiene tu cuenta'],
  ['second_factor', 'Si no reconoces algo en tu cuenta'],
  ['', 'Inicia sesión, o elige «¿Olvidaste tu contraseña?»'],
  ['toString', 'Inicia sesión, o elige «¿Olvidaste tu contraseña?»'],
])('a used link of the type “%s” says how to continue: %s', (type, words) => {
  cleanup()
  open({ reason: 'used', type })

  expect(screen.getAllByRole('alert')[0]?.textContent).toContain(words)
  expect(screen.getByRole('button', { name: '¿Olvidaste tu contraseña?' })).toBeDefined()
})

test('the login says that the browser keeps no data, and the form is there', () => {
  cleanup()
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  })
  open()

  expect(screen.getByText(/^Tu navegador no guarda datos de este sitio/)).toBeDefined()
  expect(email()).toBeDefined()
})

test('empty credentials are refused at their fields, and no request is sent', async () => {
  await press('Iniciar Sesión')

  await expectToast('Campos incompletos', 'Por favor, introduce tu email y contraseña.')
  expect(screen.getByRole('alert').textContent).toContain('Campos incompletos')
  await waitFor(() => expect(document.activeElement).toBe(email()))

  await userEvent.type(email(), 'laura@ejemplo.co')
  await press('Iniciar Sesión')
  expect(email().getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByLabelText('Contraseña').getAttribute('aria-invalid')).toBe('true')
  expect(email().value).toBe('laura@ejemplo.co')
  expect(requests).toEqual([])
})

test.each([
  ['invalid_credentials', 'Contraseña', 'El email o la contraseña no son correctos.'],
  [
    'email_not_confirmed',
    'Email',
    'Aún no has confirmado tu email. Abre el enlace del correo que te enviamos, o pide otro.',
  ],
  ['email_address_invalid', 'Email', 'Este email no es válido.'],
  ['weak_password', 'Contraseña', 'Esta contraseña es muy fácil de adivinar. Elige otra.'],
])(
  'the toast shows the service’s message of %s, and the field explains it in Spanish',
  async (code, label, sentence) => {
    reply = { status: 400, body: { code, message: 'In English.' } }
    await send('Iniciar Sesión')

    await expectToast('Sign in Failed', 'In English.')
    const field = screen.getByLabelText(label)
    expect(descriptionsOf(field)).toEqual([sentence])
    await waitFor(() => expect(document.activeElement).toBe(field))
  },
)

test.each([
  [
    'over_email_send_rate_limit',
    429,
    'Acabamos de enviarte un correo. Podrás pedirlo de nuevo en un momento.',
  ],
  ['over_request_rate_limit', 429, 'Fueron demasiados intentos. Espera un momento antes del siguiente.'],
  ['user_banned', 400, 'Esta cuenta está bloqueada. Comunícate con el banco.'],

  ['unavailable', 503, 'El banco no puede responder en este momento. Inténtalo de nuevo en unos minutos.'],
  // The page does not know this code, so that the service's sentence stays above the button.
  ['a_code_of_tomorrow', 400, 'In English.'],
])(
  'the toast shows the service’s message of %s, and the form keeps a sentence',
  async (code, status, sentence) => {
    reply = { status, body: { code, message: 'In English.' } }
    await send('Iniciar Sesión')

    await expectToast('Sign in Failed', 'In English.')
    expect(atForm(sentence)).toBeDefined()
  },
)

test.each([
  ['45', 'Espera 45 segundos antes del siguiente.'],
  ['1', 'Espera 1 segundo antes del siguiente.'],
  ['61', 'Espera 2 minutos antes del siguiente.'],
])('the message about too many attempts asks for a wait of %s seconds', async (seconds, sentence) => {
  const body = { code: 'over_request_rate_limit', message: 'Request rate limit reached' }
  reply = { status: 429, body, headers: { 'Retry-After': seconds } }
  await send('Iniciar Sesión')

  await expectToast('Sign in Failed', 'Request rate limit reached')
  expect(atForm(`Fueron demasiados intentos. ${sentence}`)).toBeDefined()
})

test.each([
  [
    'the device is offline',
    false,
    'Tu dispositivo no tiene conexión a internet. Revísala e inténtalo de nuevo.',
  ],
  [
    'the server does not answer',
    true,
    'No pudimos comunicarnos con el banco. Inténtalo de nuevo en un momento.',
  ],
])('the page says that a sign-in failed because %s', async (_, onLine, sentence) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
  isHeld = failed()
  await send('Iniciar Sesión')

  await expectToast('Sign in Failed', 'Failed to fetch')
  expect(atForm(sentence)).toBeDefined()
})

test.each([{}, { msg: '' }, { unknown: 'x' }, []])(
  'if no message arrives (%j), a default text is shown',
  async (body) => {
    reply = { status: 500, body }
    await send('Iniciar Sesión')

    await expectToast('Sign in Failed', 'Something went wrong')
    expect(atForm(/^El banco no puede responder en este momento\./)).toBeDefined()
  },
)

test('a sign-up without e-mail confirmation does not mention a mail', async () => {
  reply = { status: 200, body: signedIn }
  await press('Regístrate')
  await send('Registrarse')

  await screen.findByRole('heading', { name: 'Bienvenido a Finanzas' })
  expect(screen.queryByText('Revisa tu correo para confirmar tu cuenta.')).toBeNull()
})

test('a customer who signs in is welcomed', async () => {
  reply = { status: 200, body: signedIn }
  await send('Iniciar Sesión')

  await expectToast('¡Bienvenido de nuevo! 🎉', 'Has iniciado sesión correctamente.')
  expect(requests[0]).toMatchObject({ path: '/auth/v1/token', body: credentials })
})

test('a form that is being sent is disabled with a spinner and cannot be sent twice', async () => {
  const held = Promise.withResolvers<void>()
  isHeld = held.promise
  reply = { status: 400, body: { code: 'invalid_credentials', message: 'Invalid login credentials' } }
  await fill()
  const form = email().closest('form')
  if (form === null) throw new Error('the login has no form')

  fireEvent.submit(form)
  fireEvent.submit(form)
  await waitFor(() => expect(requests).toHaveLength(1))

  for (const label of ['Email', 'Contraseña']) {
    expect(screen.getByLabelText(label).matches(':disabled, fieldset[disabled] *')).toBe(true)
  }
  const button = screen.getByRole('button', { name: 'Iniciar Sesión' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(button.querySelector('.spinner')).not.toBeNull()
  await act(async () => held.resolve())
  await expectToast('Sign in Failed', 'Invalid login credentials')
  expect(requests).toHaveLength(1)
})

test('the form returns to the sign-in mode after a sign-up', async () => {
  reply = { status: 200, body: { id: 'u', email: credentials.email, identities: [] } }
  await press('Regístrate')
  await send('Registrarse')

  await expectToast('¡Registro exitoso! 🚀', 'Revisa tu correo para confirmar tu cuenta.')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Bienvenido a Finanzas')
  expect(requests[0]).toMatchObject({ path: '/auth/v1/signup', body: credentials })
})

test('the page keeps showing where the confirmation mail was sent, with a button to send it again', async () => {
  reply = { status: 200, body: { id: 'u', email: credentials.email, identities: [] } }
  await press('Regístrate')
  await send('Registrarse')
  await screen.findByText(/^Te enviamos un correo a laura@ejemplo\.co\. Abre su enlace/)

  reply = { status: 200, body: {} }
  await press('Reenviar correo')

  await expectToast('Correo reenviado', 'laura@ejemplo.co')
  expect(requests[1]).toMatchObject({
    path: '/auth/v1/resend',
    body: { type: 'signup', email: 'laura@ejemplo.co' },
  })
})

test('after a request that comes too early, the page says when the customer can request another mail', async () => {
  reply = { status: 200, body: {} }
  await press('¿Olvidaste tu contraseña?')
  await userEvent.type(email(), credentials.email)
  await press('Enviar enlace')
  await screen.findByText(/^Si hay una cuenta con laura@ejemplo\.co/)

  const body = { code: 'over_email_send_rate_limit', message: 'In English.' }
  reply = { status: 429, body, headers: { 'Retry-After': '50' } }
  await press('Reenviar correo')

  const sentence = 'Acabamos de enviarte un correo. Podrás pedirlo de nuevo en 50 segundos.'
  await expectToast('No se pudo reenviar el correo', sentence)
  expect(screen.getAllByText(sentence)).toHaveLength(2)
  expect(requests.map(({ path }) => path)).toEqual(['/auth/v1/recover', '/auth/v1/recover'])
})

test('an unconfirmed account is offered another confirmation mail', async () => {
  reply = { status: 400, body: { code: 'email_not_confirmed', message: 'Email not confirmed' } }
  await send('Iniciar Sesión')

  await screen.findByText('¿No encuentras el correo que enviamos a laura@ejemplo.co?')
  reply = { status: 200, body: {} }
  await press('Reenviar correo')

  await waitFor(() => expect(requests[1]?.path).toBe('/auth/v1/resend'))
})

test.each(['Regístrate', '¿Olvidaste tu contraseña?'])(
  'the error messages of a failed sign-in disappear when the customer presses %s',
  async (action) => {
    reply = { status: 400, body: { code: 'invalid_credentials', message: 'Invalid login credentials' } }
    await send('Iniciar Sesión')
    await expectToast('Sign in Failed', 'Invalid login credentials')

    await press(action)

    expect(screen.queryByText('Sign in Failed')).toBeNull()
    expect(screen.queryByText('El email o la contraseña no son correctos.')).toBeNull()
  },
)

test.each([
  ['secre', 'Te faltan 3 caracteres.'],
  ['secreto', 'Te falta 1 carácter.'],
  ['secreto123', 'Esta contraseña es muy fácil de adivinar. Elige otra.'],
])(
  'the password field of a failed sign-up explains the refusal of %s with “%s”',
  async (password, sentence) => {
    reply = { status: 422, body: { code: 'weak_password', message: 'Password should be longer.' } }
    await press('Regístrate')
    await userEvent.type(email(), credentials.email)
    await userEvent.type(screen.getByLabelText('Contraseña'), password)
    await press('Registrarse')

    await expectToast('Sign up Failed', 'Password should be longer.')
    expect(descriptionsOf(screen.getByLabelText('Contraseña'))).toEqual([sentence])
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Crea tu Cuenta')
  },
)

test('the email field shows the refusal of an invalid address but not the refusal of a long password', async () => {
  const refuse = (message: string) => {
    reply = { status: 400, body: { code: 'validation_failed', message } }
  }
  await press('Regístrate')
  refuse('Unable to validate email address: invalid format')
  await send('Registrarse')

  await expectToast('Sign up Failed', 'Unable to validate email address: invalid format')
  expect(descriptionsOf(email())).toEqual(['Este email no es válido.'])
  // The form moves the focus after the render that shows the toast.
  await waitFor(() => expect(document.activeElement).toBe(email()))

  refuse('Password cannot be longer than 128 characters')
  await press('Registrarse')
  await waitFor(() => expect(atForm('Revisa lo que escribiste: el banco no lo pudo leer.')).toBeDefined())
  expect(email().getAttribute('aria-invalid')).toBeNull()
})

test('a forgotten password sends a recovery mail without asking for a password', async () => {
  reply = { status: 200, body: {} }
  await press('¿Olvidaste tu contraseña?')
  expect(screen.queryByLabelText('Contraseña')).toBeNull()
  await userEvent.type(email(), 'laura@ejemplo.co')
  await press('Enviar enlace')

  await screen.findByText('Revisa tu correo')
  expect(requests[0]).toMatchObject({ path: '/auth/v1/recover', body: { email: 'laura@ejemplo.co' } })
})

function failed(): Promise<never> {
  const failure = Promise.reject(new TypeError('Failed to fetch'))
  // The promise is not awaited until the request is sent. Without a handler, Vitest would report the rejection as
  // unhandled before that moment.
  failure.catch(() => {})
  return failure
}

const credentials = { email: 'laura@ejemplo.co', password: 'secreto123' }
const signedIn = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3600,
  user: laura,
}

async function press(name: string) {
  await userEvent.click(screen.getByRole('button', { name }))
}

async function fill() {
  await userEvent.type(email(), credentials.email)
  await userEvent.type(screen.getByLabelText('Contraseña'), credentials.password)
}

/** Fills in the form and submits it. */
async function send(button: string) {
  await fill()
  await press(button)
}

function email(): HTMLInputElement {
  return screen.getByLabelText<HTMLInputElement>('Email')
}

async function expectToast(title: string, description: string) {
  const shown = await screen.findByText(title)
  expect(shown.parentElement?.textContent).toBe(title + description)
}

/** Finds a text in the form. The toast contains the same text, so the search is limited to the form. */
function atForm(text: string | RegExp): HTMLElement {
  return within(email().closest('form') ?? document.body).getByText(text)
}

function descriptionsOf(field: HTMLElement): (string | null | undefined)[] {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent)
}
