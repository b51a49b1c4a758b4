import { cleanup } from '@testing-library/react'
import { vi } from 'vitest'
import { loadConfiguration } from '#backend/configuration.ts'

export const laura = {
  id: 'u1',
  aud: 'authenticated',
  email: 'laura@ejemplo.co',
  app_metadata: {},
  user_metadata: { full_name: 'Laura' },
}

/** Where the client keeps the session of the configuration below. */
export const sessionKey = 'sb-banco-auth-token'

/** A session of Laura's that has to be refreshed; its token is new, because the client remembers a refused one. */
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

/** Loads a configuration and answers requests by their path; `undefined` answers the configuration. */
export async function serve(
  answer: (pathname: string) => Response | Promise<Response> | undefined,
): Promise<void> {
  vi.stubGlobal('fetch', async (address: unknown) => {
    const { pathname } = new URL(String(address), 'http://banco.test')
    const configuration = { supabaseUrl: 'http://banco.test', anonKey: 'anon', brandName: 'Banco' }
    return (await answer(pathname)) ?? Response.json(configuration)
  })
  await loadConfiguration()
}

/** Removes the page, the answers and what was stored. */
export function clearPage(): void {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  window.localStorage.clear()
}
