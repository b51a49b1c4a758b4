// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { FormDialog } from './form-dialog.tsx'

afterEach(cleanup)

const close = vi.fn()

test('an answer that arrives after its dialog was closed does not close another dialog', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { unmount } = render(dialog(() => answered))
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  unmount()

  await act(async () => answer())
  expect(close).not.toHaveBeenCalled()

  render(dialog(async () => {}))
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})

function dialog(send: () => Promise<void>) {
  return (
    <FormDialog<string, never>
      title={'Nombre'}
      submitLabel={'Guardar'}
      onClose={close}
      read={() => ({ ok: true, value: '' })}
      send={send}
      success={() => null}
      failure={() => ({ title: '', description: '' })}
    >
      {() => <input aria-label={'Nombre'} />}
    </FormDialog>
  )
}
