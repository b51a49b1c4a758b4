import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { KeysDialog } from './keys-dialog.tsx'
import { useSingleKey } from '#ui/single-keys.ts'

const search = vi.fn()

afterEach(() => void search.mockClear())

test('a single-key shortcut works only outside of fields and without a modifier', () => {
  render(<Page />)
  fireEvent.keyDown(document.body, { key: '/' })
  expect(search).toHaveBeenCalledTimes(1)

  fireEvent.keyDown(screen.getByRole('textbox'), { key: '/' })
  fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })
  expect(search).toHaveBeenCalledTimes(1)
})

test('single-key shortcuts can be switched off', () => {
  render(<Page />)
  const single = screen.getByLabelText<HTMLInputElement>('Usar las teclas N, / y ?')
  fireEvent.click(single)
  fireEvent.keyDown(document.body, { key: '/' })

  expect(single.checked).toBe(false)
  expect(search).not.toHaveBeenCalled()
})

function Page() {
  useSingleKey({ '/': search })
  return (
    <>
      <input type="text" />
      <KeysDialog onClose={vi.fn()} />
    </>
  )
}
