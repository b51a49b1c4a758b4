import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  stopNoticesLinkType,
  stopRequestNoticesLinkType,
  undoLinkType,
} from '@finanzas/contract/people/mailed-link.ts'
import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { verifySession } from '#api/unwrap.ts'
import type { PendingLink } from '#people/session/auth-link.ts'
import { SessionProvider } from '#people/session/session-provider.tsx'
import { useSession } from '#people/session/session.ts'
import { noteAskedLink } from '#people/session/stored.ts'
import { expiredSession, laura, serve, sessionKey } from '#testing/page.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { LinkPage } from './link-page.tsx'

const stranger = { ...laura, id: 'u2', email: 'otra@ejemplo.co' }

let calls: string[]
let answerVerify: () => Response
let answerUser: () => Response

beforeEach(async () => {
  await import('@supabase/supabase-js')
  calls = []
  answerVerify = () => Response.json({})
  answerUser = () => Response.json(stranger)
  await serve((path) => {
    calls.push(path)
    if (path.endsWith('/verify')) return answerVerify()
    if (path.endsWith('/token')) return Response.json({ code: 'unavailable' }, { status: 503 })
    return path.endsWith('/user') ? answerUser() : undefined
  })
})

test('the page uses the first link of an e-mail address change only once, and asks for the second link', async () => {
  noteAskedLink('laura@ejemplo.co')
  answerVerify = () =>
    calls.filter((path) => path.endsWith('/verify')).length === 1
      ? Response.json({ msg: 'Confirmation link accepted.' })
      : Response.json({ code: 'otp_expired', message: 'expired' }, { status: 403 })

  openPage({ kind: 'token', type: 'email_change', tokenHash: 'abc' })

  expect(await screen.findByText('Falta un paso')).toBeDefined()
  expect(calls.filter((path) => path.endsWith('/verify'))).toHaveLength(1)
})

test('the page asks the user before it lets tokens from a link replace a session that cannot be refreshed', async () => {
  vi.useFakeTimers()
  const stored = expiredSession()
  window.localStorage.setItem(sessionKey, JSON.stringify(stored))

  openPage({ kind: 'session', accessToken: accessTokenOf(stranger.id), refreshToken: 'r' })
  for (let step = 0; step < 200; step += 1) await act(() => vi.advanceTimersByTimeAsync(500))

  expect(screen.getByRole('heading', { name: '¿Entrar como otra@ejemplo.co?' })).toBeDefined()
  expect(window.localStorage.getItem(sessionKey)).toContain(stored.refresh_token)
})

test('the message after an undo link stays on screen when the current session ends', async () => {
  const open = { ...expiredSession(), access_token: accessTokenOf(laura.id), expires_at: 9_999_999_999 }
  window.localStorage.setItem(sessionKey, JSON.stringify(open))
  answerUser = () => Response.json(laura)
  openPage({ kind: 'token', type: undoLinkType, tokenHash: 'abc' })
  await waitFor(() => expect(calls.some((path) => path.endsWith('/user'))).toBe(true))
  answerUser = () => Response.json({ error_code: 'session_not_found', msg: 'over' }, { status: 403 })
  await userEvent.click(await screen.findByRole('button', { name: 'Quitar y cerrar todo' }))
  expect(await screen.findByText(/^Listo: tu cuenta volvió a ser tuya/)).toBeDefined()

  // Simulates the session check that runs after the server has refused a request.
  await act(() => verifySession())

  expect(screen.queryByText(/^Listo: tu cuenta volvió a ser tuya/)).not.toBeNull()
})

test.each([
  [confirmAddressLinkType, 'Confirmar este email', /^Email confirmado/],
  [cancelAddressLinkType, 'Cancelar el cambio', /^Cambio cancelado/],
  [stopNoticesLinkType, 'No recibir más este aviso', /^Listo: no recibirás más este aviso/],
  [stopRequestNoticesLinkType, 'No recibir este aviso', /^Listo: no recibirás este aviso durante 30 días/],
])(
  'a link of the type %s is used up only when the user presses the button, and the page shows the result',
  async (type, button, words) => {
    openPage({ kind: 'token', type, tokenHash: 'abc' })
    const press = await screen.findByRole('button', { name: button })
    expect(calls.some((path) => path.endsWith('/verify'))).toBe(false)

    await userEvent.click(press)

    expect(await screen.findByText(words)).toBeDefined()
  },
)

test('the page tells a signed-in customer that a link in a notice is no longer valid', async () => {
  const open = { ...expiredSession(), access_token: accessTokenOf(laura.id), expires_at: 9_999_999_999 }
  window.localStorage.setItem(sessionKey, JSON.stringify(open))
  answerUser = () => Response.json(laura)
  answerVerify = () => Response.json({ error_code: 'otp_expired', msg: 'expired' }, { status: 403 })
  openPage({ kind: 'token', type: stopNoticesLinkType, tokenHash: 'abc' })

  await userEvent.click(await screen.findByRole('button', { name: 'No recibir más este aviso' }))

  expect(await screen.findByText(/^Este enlace ya no sirve/)).toBeDefined()
  expect(screen.getByText('settled')).toBeDefined()
})

function openPage(link: PendingLink) {
  render(
    <SessionProvider
      link={link}
      lastSession={null}
      hasStoredSession={window.localStorage.length > 0}
      isSignedInLoaded={() => true}
    >
      <Pending />
      <Toaster />
    </SessionProvider>,
  )
}

function Pending() {
  const { pendingLink, deadLink } = useSession()
  return pendingLink === null ? <p>{deadLink?.type ?? 'settled'}</p> : <LinkPage link={pendingLink} />
}

function accessTokenOf(sub: string): string {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
  return `${part({ alg: 'HS256' })}.${part({ sub, exp: 9_999_999_999, aal: 'aal1', amr: [] })}.c2ln`
}
