import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { RetryLine } from './retry-line.tsx'

test('the focus moves to another element when content replaces the focused retry line', async () => {
  render(<Page />)

  await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }))

  expect(screen.getByText('Tus movimientos')).not.toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

function Page() {
  const [isRead, setIsRead] = useState(false)
  return (
    <main tabIndex={-1}>
      {isRead ? <p>{'Tus movimientos'}</p> : <RetryLine onRetry={() => setIsRead(true)} />}
    </main>
  )
}
