import { cleanup } from '@testing-library/react'
import { vi } from 'vitest'
import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import { loadConfiguration } from '#api/configuration.ts'

export const laura = {
  id: 'u1',
  aud: 'authenticated',
  email: 'laura@ejemplo.co',
  app_metadata: {},
  user_metadata: { full_name: 'Laura' },
}

/** Key under which the client stores the session when it uses the configuration below. */
export const sessionKey = 'sb-banco-auth-token'

/**
 * Returns an expired session of the user `laura`, which must be refreshed. Each call returns a new refresh token,
 * because the client remembers refused tokens.
 */
export function expiredSession() {
  return {
    access_token: 'a.b.c',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 1,
    refresh_token: crypto.randomUUID(),
    user: laura,
  }
}

/** Stores a session of the user `laura` that the client uses without refreshing it. */
export function storeSession() {
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  return session
}

const configuration = {
  supabaseUrl: 'http://banco.test',
  anonKey: 'anon',
  brandName: 'Banco',
  displayCurrency: 'USD',
  paperFormats: ['pdf', 'csv'],
  passwordLengthMin: 8,
  features: [],
  hasApprovals: false,
} satisfies Partial<PageConfiguration>

/**
 * Loads a configuration, and answers all other requests with the result of `answer`. If `answer` returns `undefined`,
 * the response has an empty body.
 */
export async function serve(
  answer: (
    pathname: string,
    body: unknown,
    request: { method: string; query: string; headers: Headers },
  ) => Response | Promise<Response> | undefined,
  chosen: Partial<PageConfiguration> = {},
): Promise<void> {
  vi.stubGlobal('fetch', async (address: unknown, init?: RequestInit) => {
    const { pathname, search } = new URL(String(address), 'http://banco.test')
    if (pathname === '/config.json') return Response.json({ ...configuration, ...chosen })
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const request = { method: init?.method ?? 'GET', query: search, headers: new Headers(init?.headers) }
    return (await answer(pathname, body, request)) ?? Response.json({})
  })
  await loadConfiguration()
}

/** Removes the rendered page, all stubs and spies, and all stored values. */
export function clearPage(): void {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  window.localStorage.clear()
}
