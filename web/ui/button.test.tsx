import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Button } from './button.tsx'

const press = vi.fn()

test.each([
  ['that is busy', { isBusy: true }],
  ['that is disabled', { disabled: true }],
])('a button %s keeps the focus and cannot be pressed', async (_, state) => {
  const { rerender } = render(<Button onClick={press}>{'Añadir'}</Button>)
  const button = screen.getByRole('button')
  button.focus()

  rerender(
    <Button onClick={press} {...state}>
      {'Añadir'}
    </Button>,
  )
  await userEvent.keyboard('{Enter}')
  await userEvent.click(button)

  // The button uses `aria-disabled`, because real browsers remove the focus from a disabled element.
  expect(button.matches(':disabled')).toBe(false)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(press).not.toHaveBeenCalled()
})
