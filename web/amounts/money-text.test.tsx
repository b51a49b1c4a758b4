import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { AmountsEye, MoneyText } from './money-text.tsx'

beforeEach(() => serve(() => undefined))
afterEach(() => {
  // The button's state is stored outside React. Without this click, the state would still apply in the next test.
  const eye = screen.queryByRole('button', { pressed: true })
  if (eye !== null) fireEvent.click(eye)
})

test('hiding an amount does not hide the surrounding sentence', () => {
  render(
    <>
      <AmountsEye />
      <p>
        <MoneyText within={(money) => `Te quedan ${money} este mes.`}>{'$202.61'}</MoneyText>
      </p>
      <MoneyText isTyped>{'$1,250.50'}</MoneyText>
    </>,
  )
  expect(screen.getByText(/Te quedan/).textContent).toBe('Te quedan $202.61 este mes.')

  fireEvent.click(screen.getByRole('button', { name: 'Ocultar cifras' }))

  expect(screen.getByText(/Te quedan/).textContent).toBe('Te quedan ••••••Cifra oculta este mes.')
  expect(screen.getByText('$1,250.50')).toBeDefined()
})
