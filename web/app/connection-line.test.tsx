import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { formatMoment } from '#ui/format/dates.ts'
import { dataKeys } from '#data/queries.ts'
import { ConnectionLine } from './connection-line.tsx'
import { appCopy } from './copy.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'

let answer: () => Promise<number>
const balance = { queryKey: [...dataKeys.refetchedOnChange('u'), 'balance'], queryFn: () => answer() }
const client = createQueryClient()
const away = () => Promise.reject(new Error('away'))

afterEach(() => client.clear())

test('the connection line shows the time of stale figures until they are read again', async () => {
  answer = async () => 12
  open()
  await screen.findByText('12')
  expect(line()).toBe('')

  answer = away
  await act(() => client.refetchQueries(balance))
  const readAt = new Date(client.getQueryState(balance.queryKey)?.dataUpdatedAt ?? 0)
  expect(line()).toMatch(/^Cifras de(?:l| las?) /)
  expect(line()).toContain(formatMoment(readAt, new Date()))

  answer = async () => 13
  await act(() => client.refetchQueries(balance))
  expect(line()).toBe('')
})

test('the line reports a missing connection and shows when the figures of an earlier visit were read', async () => {
  answer = () => new Promise(() => {})
  const readAt = performance.timeOrigin - 60_000
  client.setQueryData(balance.queryKey, 11, { updatedAt: readAt })
  open()
  const moment = formatMoment(new Date(readAt), new Date())
  expect(line()).toMatch(/^Cifras de(?:l| las?) /)
  expect(line()).toContain(moment)

  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(line()).toMatch(/^Sin conexión, datos de(?:l| las?) /)
  expect(line()).toContain(moment)

  vi.restoreAllMocks()
  act(() => void window.dispatchEvent(new Event('online')))
  await act(async () => client.setQueryData(balance.queryKey, 12))
  expect(line()).toBe('')
})

test.each([
  ['2:32 p. m.', 'Sin conexión, datos de las 2:32 p. m.'],
  ['1:05 a. m.', 'Sin conexión, datos de la 1:05 a. m.'],
  ['12:00 p. m.', 'Sin conexión, datos de las 12:00 p. m.'],
  ['19 de noviembre de 2026, 1:05 p. m.', 'Sin conexión, datos del 19 de noviembre de 2026, 1:05 p. m.'],
])('%s without a connection: %s', (moment, sentence) => {
  expect(appCopy.offlineFrom(moment)).toBe(sentence)
})

test('the line does not show a time before figures have been read', async () => {
  answer = away
  open()
  await waitFor(() => expect(client.getQueryState(balance.queryKey)?.status).toBe('error'))

  expect(line()).toBe('')
})

function open() {
  renderPart(
    <>
      <Balance />
      <ConnectionLine userId="u" />
    </>,
    client,
  )
}

function Balance() {
  return <p>{useQuery(balance).data}</p>
}

function line(): string | null {
  return screen.getByRole('status').textContent
}
