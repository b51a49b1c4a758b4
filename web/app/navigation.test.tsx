import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { signedIn } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { BottomBar, TopBar } from './navigation.tsx'

beforeEach(() => serve(() => undefined))

test.each([
  [
    'Inicio',
    [
      '/dashboard',
      '/transferencias',
      '/resumen',
      '/presupuesto',
      '/recurrentes',
      '/extractos',
      '/categorias',
    ],
  ],
  ['Transacciones', ['/transacciones', '/transacciones/importar']],
  ['Perfil', ['/perfil']],
])('%s is marked as current on its own page and on the pages below it', (name, paths) => {
  for (const path of paths) {
    for (const bar of [<TopBar key="top" />, <BottomBar key="bottom" />]) {
      window.history.replaceState(null, '', path)
      open(bar)
      const bars = screen.getByRole('navigation', { name: /^(Principal|Secciones)$/ })
      const marked = within(bars)
        .getAllByRole('link', { current: 'page' })
        .map(({ textContent }) => textContent)
      expect(marked, path).toEqual([name])
      cleanup()
    }
  }
})

test.each([
  [[], ['Resumen', 'Presupuesto', 'Recurrentes', 'Extractos', 'Categorías']],
  [
    ['transferencias'],
    ['Transferencias', 'Resumen', 'Presupuesto', 'Recurrentes', 'Extractos', 'Categorías'],
  ],
] as const)('with the features %j the menu lists %j', async (features, names) => {
  await serve(() => undefined, { features })

  open(<TopBar />)

  const group = screen.getByRole('region', { name: 'Tu dinero', hidden: true })
  const links = within(group).getAllByRole('link', { hidden: true })
  expect(links.map(({ textContent }) => textContent)).toEqual(names)
})

test.each([
  [{ code: 'unexpected_failure', message: 'El servidor dice no' }, 'El servidor dice no'],
  [{}, 'Something went wrong'],
])('a failed sign-out with the answer %j shows “%s” and does not end the session', async (body, sentence) => {
  const session = { ...expiredSession(), expires_at: Math.ceil(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  await serve(() => Response.json(body, { status: 500 }))
  open(
    <>
      <TopBar />
      <Toaster />
    </>,
  )
  const [signOut] = screen.getAllByRole('button', { name: 'Cerrar Sesión' })
  if (signOut !== undefined) await userEvent.click(signOut)

  const title = await screen.findByText('Sign out Failed')
  expect(title.parentElement?.textContent).toBe(`Sign out Failed${sentence}`)
  expect(window.localStorage.getItem(sessionKey)).not.toBeNull()
})

function open(bar: ReactNode): void {
  render(
    <AddressProvider>
      <SessionContext value={signedIn()}>{bar}</SessionContext>
    </AddressProvider>,
  )
}
