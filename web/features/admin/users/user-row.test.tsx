// @vitest-environment happy-dom
import { configure, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { SessionContext } from '#session/session.ts'
import { clearPage, laura, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { AdminPage } from '#features/admin/admin-page.tsx'

// Testing Library waits one second by default, which is too short on a stalled machine.
configure({ asyncUtilTimeout: 15_000 })

afterEach(clearPage)

test('the sum of the bank’s liabilities is read again at once after a deletion', async () => {
  let customers = [{ id: 'a', full_name: 'Ana', role: 'user', user_safe: { email: 'ana@correo.co' } }]
  const sums = () => ({
    customers: customers.length,
    owed: customers.length * 10,
    total: customers.length * 10,
    overdrawn: 0,
    days: [],
  })
  await serve((path) => {
    if (path.endsWith('/sum_bank')) return Response.json(sums())
    if (path.endsWith('/manage-users')) customers = []
    return Response.json(path.endsWith('/profiles') ? customers : {})
  })
  vi.stubGlobal('confirm', () => true)
  renderPart(
    <SessionContext value={session}>
      <AddressProvider>
        <AdminPage />
      </AddressProvider>
    </SessionContext>,
  )
  expect(await screen.findByText('1 cuenta')).not.toBeNull()

  await userEvent.click(await screen.findByRole('button', { name: /^Eliminar/ }))

  expect(await screen.findByText('0 cuentas')).not.toBeNull()
})

const session = {
  session: {
    status: 'signed-in',
    user: { ...laura, app_metadata: { role: 'admin' }, created_at: '2024-11-23T12:00:00Z' },
  },
  deadLink: null,
  pendingLink: null,
  settleLink: () => undefined,
  isCheckingUser: false,
  finishRecovery: () => undefined,
} as const
