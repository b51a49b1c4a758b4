import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve, storeSession } from '#testing/page.ts'
import { TwoFactorDialog } from './two-factor-dialog.tsx'

beforeEach(() => {
  storeSession()
})
test.each([
  [422, 'mfa_verification_failed', /^El código no es correcto/],
  [503, 'unavailable', /^El banco no puede responder/],
  [404, 'mfa_factor_not_found', /^Pasó demasiado tiempo/],
  [400, 'reauthentication_needed', /^Pasó demasiado tiempo/],
  [422, 'mfa_challenge_expired', /^Inténtalo de nuevo en un momento/],
])('if the first code is refused with %i %s, the dialog shows the reason', async (status, code, sentence) => {
  await serve((path) =>
    path.startsWith('/auth/v1/factors/')
      ? Response.json({ code, error_code: code, message: 'no' }, { status })
      : undefined,
  )
  render(
    <TwoFactorDialog
      newApp={{ factorId: crypto.randomUUID(), picture: '', address: '', secret: 'ABCD' }}
      isFirst
      onTurnedOn={() => {}}
      onClose={() => {}}
    />,
  )

  await userEvent.type(screen.getByLabelText('Código de seis dígitos'), '123456{Enter}')

  const field = screen.getByLabelText('Código de seis dígitos')
  expect(await screen.findByText(sentence)).toHaveProperty('id', field.getAttribute('aria-describedby'))
})
