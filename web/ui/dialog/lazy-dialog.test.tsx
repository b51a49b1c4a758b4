import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { act } from 'react'
import { expect, test } from 'vitest'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { useLazyDialog } from './lazy-dialog.ts'

const closings: (() => void)[] = []

test('an answer that arrives late does not close a dialog that was opened in the meantime', async () => {
  render(<Page />)
  await userEvent.click(screen.getByText('Abrir Arriendo'))
  const [closeFirst = () => {}] = closings
  await userEvent.click(screen.getByText('Cerrar Arriendo'))
  await userEvent.click(screen.getByText('Abrir Luz'))

  act(closeFirst)

  expect(screen.queryByText('Cerrar Luz')).not.toBeNull()
  await userEvent.click(screen.getByText('Cerrar Luz'))
  expect(screen.queryByText('Cerrar Luz')).toBeNull()
})

test('the user and the opener are notified if a dialog cannot be loaded', async () => {
  const news: string[] = []
  render(<Unreachable onMissing={() => news.push('missing')} />)
  await userEvent.click(screen.getByText('Abrir'))

  expect(await screen.findAllByText('No se pudo abrir')).not.toHaveLength(0)
  expect(news).toEqual(['missing'])
})

function Unreachable({ onMissing }: { onMissing: () => void }) {
  const { open, dialog } = useLazyDialog(missing)
  return (
    <>
      <button type="button" onClick={() => open({ name: 'Luz' }, onMissing)}>
        {'Abrir'}
      </button>
      {dialog}
      <Toaster />
    </>
  )
}

const missing = lazyCode(async (): Promise<{ Edit: typeof Edit }> => {
  throw new TypeError('Failed to fetch')
}, 'Edit')

function Page() {
  const { open, dialog } = useLazyDialog(edit)
  return (
    <>
      {['Arriendo', 'Luz'].map((name) => (
        <button key={name} type="button" onClick={() => open({ name })}>
          {`Abrir ${name}`}
        </button>
      ))}
      {dialog}
    </>
  )
}

const edit = lazyCode(async () => ({ Edit }), 'Edit')

function Edit({ name, onClose }: { name: string; onClose: () => void }) {
  closings.push(onClose)
  return (
    <button type="button" onClick={onClose}>
      {`Cerrar ${name}`}
    </button>
  )
}
