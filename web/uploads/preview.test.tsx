import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { TableRefusal } from '#api/errors.ts'
import { serve } from '#testing/page.ts'
import { Preview } from './preview.tsx'

beforeEach(() => serve(() => undefined))

const file = 'banco.csv'
const copy = {
  lookingUp: 'Comparando…',
  lookupFailed: 'Sin comparar.',
  without: 'Enviar las demás',
  refused: 'El banco no admite estas líneas.',
  answerFirst: 'Responde antes.',
  sending: 'Enviando…',
  failedTitle: 'No se envió nada',
  failedText: 'Inténtalo de nuevo.',
  broken: (count: number) => `${count} sin leer`,
  send: (count: number) => `Enviar ${count}`,
}

function preview(
  amounts: readonly number[],
  send: (id: string) => Promise<void>,
  brokenLines: readonly number[] = [],
) {
  return (
    <Preview
      title={file}
      copy={copy}
      fields={() => null}
      lookup={{ isDone: true, retry: null }}
      status=""
      broken={brokenLines.map((line) => ({ line, words: 'no tiene un monto' }))}
      hasLines
      isAnswered
      isComplete
      lines={amounts.map((amount) => ({ amountMinor: amount as MinorUnits }))}
      lineOf={(place) => [7, 9][place - 1]}
      send={send}
      onAnother={() => undefined}
    >
      {null}
    </Preview>
  )
}
const press = () => userEvent.click(screen.getByRole('button', { name: /Enviar/ }))

test('if the same lines are sent again, the request has the same id', async () => {
  const ids: string[] = []
  const send = async (id: string) => {
    ids.push(id)
    throw new TypeError('Failed to fetch')
  }
  const { rerender } = render(preview([100, 200], send))

  await press()
  expect(await screen.findByText('Inténtalo de nuevo.')).not.toBeNull()
  rerender(preview([100, 200], send))
  await userEvent.click(screen.getByRole('button', { name: /^Reintentar: Enviar 2/ }))
  rerender(preview([100, 300], send))
  await press()

  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('a refused line is shown with its line number', async () => {
  const details = JSON.stringify([{ line: 2, message: 'El cliente no existe.' }])
  const error = new TableRefusal({ status: 422, error: { code: 'PT422', message: 'Hay 1 línea.', details } })
  render(preview([100, 200], () => Promise.reject(error)))

  await press()

  expect(await screen.findByText('Línea 9: El cliente no existe.')).not.toBeNull()
})

test('if a new column mapping leaves out other lines, the user must confirm again', async () => {
  const send = () => Promise.resolve()
  const { rerender } = render(preview([100], send, [3]))
  const isActive = () =>
    screen.getByRole('button', { name: /^Enviar/ }).getAttribute('aria-disabled') !== 'true'

  expect(isActive()).toBe(false)
  await userEvent.click(screen.getByLabelText('Enviar las demás'))
  expect(isActive()).toBe(true)
  rerender(preview([100], send, [3, 4]))
  expect(isActive()).toBe(false)
  rerender(preview([100], send, []))

  expect(isActive()).toBe(true)
})
