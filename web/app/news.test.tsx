import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { AdminHeading } from '#staff/admin-heading.tsx'
import { SessionContext } from '#people/session/session.ts'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { createQueryClient, renderPart, signedIn } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BottomBar, TopBar } from './navigation.tsx'
import { NewsReader } from './news-reader.tsx'

const asked: string[] = []
let counts: { unread: number; waiting: number | null }

beforeEach(async () => {
  asked.length = 0
  counts = { unread: 2, waiting: 4 }
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  await serve(
    (path) => {
      asked.push(path)
      return path === '/rest/v1/rpc/count_news' ? Response.json(counts) : Response.json([])
    },
    { features: ['transferencias'] },
  )
})

function open(path: string, client = createQueryClient()) {
  window.history.replaceState(null, '', path)
  return renderPart(
    <SessionContext value={signedIn({ app_metadata: { role: 'admin' } })}>
      <AddressProvider>
        <TopBar />
        <BottomBar />
        <AdminHeading documentTitle="Admin" section="users" />
        <NewsReader />
      </AddressProvider>
    </SessionContext>,
    client,
  )
}

test('the number of waiting requests stands beside Admin and the section, and is not part of their names', async () => {
  open('/perfil')
  expect(await screen.findAllByText('4')).toHaveLength(3)

  for (const [bar, name] of [
    ['Principal', 'Admin'],
    ['Secciones', 'Admin'],
    ['Secciones del panel', 'Solicitudes'],
  ] as const) {
    const link = within(screen.getByRole('navigation', { name: bar })).getByRole('link', { name })
    expect(link.textContent).toBe(`${name}4`)
    expect(descriptionOf(link)).toBe('4 solicitudes por decidir')
  }
})

test('the number of unread notices stands beside Perfil only while a notice is unread', async () => {
  const client = createQueryClient()
  open('/perfil', client)
  await screen.findAllByText('2')
  const bar = screen.getByRole('navigation', { name: 'Principal' })
  expect(descriptionOf(within(bar).getByRole('link', { name: 'Perfil' }))).toBe('2 avisos nuevos')

  counts = { unread: 0, waiting: 0 }
  await act(() => client.invalidateQueries({ queryKey: ['news'] }))

  await waitFor(() => expect(within(bar).getByRole('link', { name: 'Perfil' }).textContent).toBe('Perfil'))
})

test('more requests than the bank counts are shown as more than 99', async () => {
  counts = { unread: 0, waiting: 100 }
  open('/perfil')

  expect(await screen.findAllByText('99+')).toHaveLength(3)
})

test('the dashboard takes the numbers from the sums and sends no request for them', async () => {
  const client = createQueryClient()
  open('/dashboard', client)
  act(() => {
    client.setQueryData(['news'], counts)
  })

  expect(await screen.findAllByText('4')).toHaveLength(3)
  expect(asked).not.toContain('/rest/v1/rpc/count_news')
})

function descriptionOf(link: HTMLElement): string | null | undefined {
  return document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent
}
