import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { NotificationList } from './notification-list.tsx'
import type { OwnNotification } from './notifications.ts'

let lastId = 0
const notification = (change: Partial<OwnNotification>): OwnNotification => ({
  id: String((lastId += 1)),
  kind: 'deposit',
  detail: null,
  events: 1,
  happened_at: '2026-11-20T15:00:00+00:00',
  read_at: null,
  ...change,
})

async function show(rows: OwnNotification[]) {
  const calls: string[] = []
  await serve((path) => {
    calls.push(path)
    return path === '/rest/v1/notifications' ? Response.json(rows) : undefined
  })
  renderPart(<NotificationList />)
  return { calls, marks: () => calls.filter((path) => path === '/rest/v1/rpc/read_notifications').length }
}

const words = async () => {
  const list = await screen.findByRole('list', { name: 'Lo que te avisamos' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}

test('each row describes an event, and all unread rows are marked as read with one request', async () => {
  const read_at = '2026-11-21T15:00:00+00:00'
  const { marks } = await show([
    notification({ events: 3 }),
    notification({ kind: 'transfer', detail: 'declined', read_at }),
    notification({ kind: 'category_limit', detail: 'Comida', read_at }),
    notification({ kind: 'new_device', detail: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', read_at }),
    notification({ kind: 'stopped', detail: 'deposit', read_at }),
  ])

  const [deposits, transfer, limit, device, stopped] = await words()
  expect(deposits).toMatch(/^El banco registró 3 depósitosNuevo20 nov/)
  expect(transfer).toMatch(/^El banco no aprobó una transferencia20 nov/)
  expect(limit).toMatch(/^«Comida» llegó a su límite del mes20 nov/)
  expect(device).toMatch(/^Entraron a tu cuenta desde un dispositivo nuevo.* · Chrome en Linux$/)
  expect(stopped).toMatch(/^Dejaste de recibir un aviso desde el enlace de un correo: Un depósito20 nov/)
  await waitFor(() => expect(marks()).toBe(1))
})

test('the list initially shows five rows, and sends no request if all rows are read', async () => {
  const { marks } = await show(
    Array.from({ length: 7 }, () => notification({ read_at: '2026-11-21T15:00:00+00:00' })),
  )
  expect(await words()).toHaveLength(5)

  await userEvent.click(screen.getByRole('button', { name: 'Ver 2 más' }))

  expect(await words()).toHaveLength(7)
  expect(marks()).toBe(0)
})

test('a customer without notifications sees an explanation of the list', async () => {
  await show([])

  expect(await screen.findByText(/^Aquí verás lo que te avisamos/)).toBeDefined()
})
