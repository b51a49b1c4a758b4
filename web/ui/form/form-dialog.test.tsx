import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { FormDialog } from './form-dialog.tsx'

const close = vi.fn()

test('an answer that arrives after its dialog has been closed does not close another dialog', async () => {
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

test('an error message stays in the dialog until the next attempt', async () => {
  const answers = [() => Promise.reject(new Error('away')), () => new Promise<void>(() => {})]
  render(dialog(() => answers.shift()?.() ?? Promise.resolve()))
  const button = screen.getByRole('button', { name: 'Guardar' })

  await userEvent.click(button)
  expect(await screen.findByText('No llegó la respuesta.')).not.toBeNull()

  await userEvent.click(button)
  expect(screen.queryByText('No llegó la respuesta.')).toBeNull()
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
      failure={() => ({ title: 'Error', description: 'No llegó la respuesta.' })}
    >
      {() => <input aria-label={'Nombre'} />}
    </FormDialog>
  )
}
