import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Suspense, useState, type ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { renderPart } from '#testing/render-part.tsx'
import { failureMessage, LoadError, lazyCode, lazyComponent, type LazyCode } from './lazy.ts'
import { useLazyCode } from './use-lazy-code.ts'

/** The server's answers, in this order. The last answer is repeated. */
let answers: (() => { Part: () => string })[]
let requests: number

const importPart = async () => {
  requests += 1
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  return answer?.() ?? missing()
}

const part = () => ({ Part: () => 'La parte' })

function missing(): never {
  throw new TypeError('Failed to fetch dynamically imported module')
}

beforeEach(() => {
  answers = [part]
  requests = 0
})

test('several actions share one request for the same code', async () => {
  const code = lazyCode(importPart, 'Part')

  const [one, other] = await Promise.all([code.load(), code.load()])

  expect(one()).toBe('La parte')
  expect(await code.load()).toBe(other)
  expect(requests).toBe(1)
})

test('an action whose code could not be loaded gets an error message and can be repeated', async () => {
  answers = [missing, part]
  const code = lazyCode(importPart, 'Part')

  const failure: unknown = await code.load().catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(LoadError)
  expect(failureMessage(failure, 'No pudimos leer el archivo.')).toMatch(
    /^Revisa tu conexión .* vuelve a cargar/,
  )
  expect(failureMessage(new TypeError('x'), 'No pudimos leer el archivo.')).toBe(
    'No pudimos leer el archivo.',
  )
  expect((await code.load())()).toBe('La parte')
})

test('a component whose code is already loaded renders without the spinner', async () => {
  const { preload, Component } = lazyComponent(importPart, 'Part')
  await preload()

  renderPart(<Spinning part={<Component />} />)

  expect(screen.getByText('La parte')).not.toBeNull()
})

test('a component’s code is requested again after a failed prefetch', async () => {
  answers = [missing, part]
  const { preload, Component } = lazyComponent(importPart, 'Part')
  await preload()

  await act(async () => renderPart(<Spinning part={<Component />} />))

  expect(await screen.findByText('La parte')).not.toBeNull()
})

test('if the next page’s code cannot be loaded, the current page stays on screen until the failure is known', async () => {
  answers = [missing]
  const { settled, state } = lazyComponent(importPart, 'Part')

  await settled()

  expect(requests).toBe(1)
  expect(state()).toEqual({})
})

test('a part of a page that could not be loaded can be requested again', async () => {
  answers = [missing, part]
  const code = lazyCode(importPart, 'Part')
  renderPart(<Beside code={code} />)
  expect(screen.getByText('Cargando')).not.toBeNull()

  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }))

  expect(await screen.findByText('La parte')).not.toBeNull()
})

test('a part of a page is not requested before it is needed', async () => {
  const code = lazyCode(importPart, 'Part')
  renderPart(<Later code={code} />)
  expect(requests).toBe(0)

  await userEvent.click(screen.getByRole('button', { name: 'Mostrar' }))

  expect(await screen.findByText('La parte')).not.toBeNull()
})

function Spinning({ part: drawn }: { part: ReactNode }) {
  return <Suspense fallback={'Cargando'}>{drawn}</Suspense>
}

function Later({ code }: { code: LazyCode<() => string> }) {
  const [isNeeded, setIsNeeded] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsNeeded(true)}>
        {'Mostrar'}
      </button>
      <Beside code={code} isNeeded={isNeeded} />
    </>
  )
}

function Beside({ code, isNeeded = true }: { code: LazyCode<() => string>; isNeeded?: boolean }) {
  const { data: Part, isError, refetch } = useLazyCode(code, isNeeded)
  if (Part !== undefined) return <Part />
  if (!isError) return 'Cargando'
  return (
    <button type="button" onClick={() => void refetch()}>
      {'Reintentar'}
    </button>
  )
}
