// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfiguration } from '#backend/configuration.ts'
import { noteAskedLink } from '#session/asked-link.ts'
import type { PendingLink } from '#session/auth-link.ts'
import { useSession } from '#session/session.ts'
import { SessionProvider } from '#session/session-provider.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { LinkPage } from './link-page.tsx'

const laura = {
  id: 'u1',
  aud: 'authenticated',
  email: 'laura@ejemplo.co',
  app_metadata: {},
  user_metadata: {},
}
const stranger = { ...laura, id: 'u2', email: 'otra@ejemplo.co' }

let calls: string[]
let answerVerify: () => Response

beforeEach(async () => {
  await import('@supabase/supabase-js')
  calls = []
  answerVerify = () => Response.json({})
  vi.stubGlobal('fetch', async (address: unknown) => {
    const { pathname } = new URL(String(address), 'http://banco.test')
    calls.push(pathname)
    if (pathname.endsWith('/verify')) return answerVerify()
    if (pathname.endsWith('/token')) return Response.json({ code: 'unavailable' }, { status: 503 })
    if (pathname.endsWith('/user')) return Response.json(stranger)
    return Response.json({ supabaseUrl: 'http://banco.test', anonKey: 'anon', brandName: 'Banco' })
  })
  await loadConfiguration()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  window.localStorage.clear()
})

test('half of a change of address that was asked for here is spent once', async () => {
  noteAskedLink('laura@ejemplo.co')
  answerVerify = () =>
    calls.filter((path) => path.endsWith('/verify')).length === 1
      ? Response.json({ msg: 'Confirmation link accepted.' })
      : Response.json({ code: 'otp_expired', message: 'expired' }, { status: 403 })

  openPage({ kind: 'token', type: 'email_change', tokenHash: 'abc' })

  expect(await screen.findByText('Falta un paso')).toBeDefined()
  expect(calls.filter((path) => path.endsWith('/verify'))).toHaveLength(1)
})

test('tokens in the address ask where a session is stored whose refresh fails', async () => {
  vi.useFakeTimers()
  const stored = {
    access_token: 'a.b.c',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 1,
    refresh_token: crypto.randomUUID(),
    user: laura,
  }
  window.localStorage.setItem('sb-banco-auth-token', JSON.stringify(stored))

  openPage({ kind: 'session', accessToken: accessTokenOf(stranger.id), refreshToken: 'r' })
  for (let step = 0; step < 200; step += 1) await act(() => vi.advanceTimersByTimeAsync(500))

  expect(screen.getByRole('heading', { name: '¿Entrar como otra@ejemplo.co?' })).toBeDefined()
  expect(window.localStorage.getItem('sb-banco-auth-token')).toContain(stored.refresh_token)
})

function openPage(link: PendingLink) {
  render(
    <SessionProvider link={link} hasStoredSession={window.localStorage.length > 0}>
      <Pending />
      <Toaster regionLabel="Avisos" closeLabel="Cerrar" durationMs={5000} swipeThresholdPx={50} />
    </SessionProvider>,
  )
}

function Pending() {
  const { pendingLink, deadLink } = useSession()
  return pendingLink === null ? <p>{deadLink ?? 'settled'}</p> : <LinkPage link={pendingLink} />
}

function accessTokenOf(sub: string): string {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
  return `${part({ alg: 'HS256' })}.${part({ sub, exp: 9_999_999_999, aal: 'aal1', amr: [] })}.c2ln`
}
