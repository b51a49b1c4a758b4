import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Feature } from '@finanzas/contract/wire/features.ts'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { PreferencesDialog } from './preferences-dialog.tsx'

const deposits = [
  { kind: 'deposit', amount: null },
  { kind: 'large_expense', amount: 50 },
]

async function show({ features = ['notificaciones'] as Feature[], answer = () => Response.json([]) } = {}) {
  const saved: unknown[] = []
  const onClose = vi.fn()
  await serve(
    (path, body) => {
      if (path === '/rest/v1/notification_preferences') return Response.json(deposits)
      if (path !== '/rest/v1/rpc/set_notifications') return undefined
      saved.push(body)
      return answer()
    },
    { features, supabaseUrl: window.location.origin },
  )
  renderWithToasts(<PreferencesDialog onClose={onClose} />)
  await screen.findByRole('button', { name: 'Guardar' })
  return { saved, onClose }
}

const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }))

test('the dialog shows the chosen notifications, and saves exactly the ticked notifications', async () => {
  const { saved, onClose } = await show()
  expect(box(/^Un depósito/).checked).toBe(true)
  expect(box(/^Una corrección/).checked).toBe(false)

  await userEvent.click(box(/^Un depósito/))
  await userEvent.click(box(/^Un saldo menor/))
  await userEvent.type(screen.getByLabelText('Saldo menor que'), '20,50')
  await save()

  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(saved).toEqual([{ kinds: ['large_expense', 'low_balance'], expense_above: 50, balance_below: 20.5 }])
})

test('the kinds are grouped by subject, and an amount is asked only for a ticked kind', async () => {
  await show({ features: ['notificaciones', 'transferencias'] })
  const kinds = screen.getAllByRole('checkbox').map((each) => each.closest('label')?.textContent)

  expect(kinds).toEqual([
    'Una transferencia enviada, recibida, no aprobada o devuelta',
    'Un depósito',
    'Una corrección del banco',
    'El extracto de cada mes, cuando está listo',
    'Un gasto que registra el banco, mayor que un monto',
    'Un saldo menor que un monto',
    'Una categoría que llega a su límite',
    expect.stringMatching(/^Un inicio de sesión desde un dispositivo nuevo/),
  ])
  expect(screen.getByLabelText('Gasto mayor que')).toBeDefined()
  expect(screen.queryByLabelText('Saldo menor que')).toBeNull()
})

test('a notification that needs an amount cannot be saved without an amount', async () => {
  const { saved } = await show()

  await userEvent.click(box(/^Un saldo menor/))
  await save()

  expect(screen.getByLabelText('Saldo menor que').getAttribute('aria-invalid')).toBe('true')
  expect(saved).toEqual([])
})

test('the mail about a new device cannot be switched off', async () => {
  await show()

  const always = box(/^Un inicio de sesión desde un dispositivo nuevo/)
  expect([always.checked, always.disabled]).toEqual([true, true])
})

test.each([
  [['notificaciones'], 0],
  [['notificaciones', 'transferencias'], 1],
] as const)('with %j, the dialog offers %i notification about transfers', async (features, count) => {
  await show({ features: [...features] })

  expect(screen.queryAllByRole('checkbox', { name: /transferencia/ })).toHaveLength(count)
})

test.each([
  ['PT422', 422, 'Elige avisos que existan.'],
  ['PT429', 429, 'Hiciste muchos cambios seguidos. Espera unos minutos.'],
])('the form shows the message of a refusal with the code %s', async (code, status, message) => {
  const { onClose } = await show({ answer: () => Response.json({ code, message }, { status }) })

  await save()

  expect(await screen.findAllByText(message)).not.toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})
