import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve, storeSession } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { DeviceList } from './device-list.tsx'
import type { OwnSession } from './sessions.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const session = (id: string, change: Partial<OwnSession>): OwnSession => ({
  id,
  is_present: false,
  began_at: minutesAgo(6000),
  last_used_at: minutesAgo(5),
  user_agent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36',
  network: '190.84.12.7',
  ...change,
})

const refused: Record<number, readonly [code: string, message: string]> = {
  404: ['PT404', 'Esa sesión ya terminó.'],
  429: ['PT429', 'Demasiados cambios. Espera 10 minutos.'],
}

async function show(sessions: OwnSession[], ending = 204) {
  storeSession()
  const ended: unknown[] = []
  await serve((path, body) => {
    if (path === '/rest/v1/rpc/own_sessions') return Response.json(sessions)
    if (path !== '/rest/v1/rpc/end_session') return undefined
    ended.push(body)
    sessions.pop()
    if (ending === 204) return new Response(null, { status: 204 })
    const [code, message] = refused[ending] ?? []
    return Response.json({ code, message }, { status: ending })
  })
  renderWithToasts(<DeviceList />)
  const list = await screen.findByRole('list', { name: 'Dispositivos con tu sesión abierta' })
  const rows = () => within(list).getAllByRole('listitem')
  return { ended, rows, words: (row = 0) => rows()[row]?.textContent ?? '' }
}

test('a row shows the device with its last use and its network', async () => {
  const { words } = await show([
    session('a', { is_present: true }),
    session('b', {}),
    session('c', { last_used_at: minutesAgo(190), network: '200.1.2.3', user_agent: null }),
  ])

  expect(words(0)).toMatch(/^Chrome en AndroidEste dispositivoEn uso ahora · red 190\.84\.12\.7Desde el /)
  expect(words(1)).toMatch(/Último uso: en la última hora · misma red que este dispositivo/)
  expect(words(2)).toMatch(/^Dispositivo desconocidoÚltimo uso: hace 3 horas · red 200\.1\.2\.3/)
})

test.each([204, 404])(
  'a session that the customer ends leaves the list, even if the session had already ended (%s)',
  async (status) => {
    const { ended, rows } = await show([session('a', { is_present: true }), session('b', {})], status)

    await userEvent.click(screen.getByRole('button', { name: 'Cerrar la sesión de Chrome en Android' }))

    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(ended).toEqual([{ session_id: 'b' }])
    expect((await screen.findAllByText('Sesión cerrada')).length).toBeGreaterThan(0)
    expect(await screen.findByText('Solo este dispositivo tiene tu sesión abierta.')).toBeDefined()
  },
)

test('a refused end of a session shows the bank’s sentence', async () => {
  const { rows } = await show([session('a', { is_present: true }), session('b', {})], 429)

  await userEvent.click(screen.getByRole('button', { name: 'Cerrar la sesión de Chrome en Android' }))

  expect(await screen.findByText('Demasiados cambios. Espera 10 minutos.')).toBeDefined()
  expect(rows()).toHaveLength(2)
})

test('a long list of sessions initially shows only five of them', async () => {
  const { rows } = await show(
    Array.from({ length: 8 }, (_, index) => session(`${index}`, { is_present: index === 0 })),
  )
  expect(rows()).toHaveLength(5)

  await userEvent.click(screen.getByRole('button', { name: 'Ver 3 más' }))

  expect(rows()).toHaveLength(8)
})
