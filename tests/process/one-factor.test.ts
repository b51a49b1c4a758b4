// Whoever has a second factor and has not shown it is refused by the functions, and that is no trouble of the server's:
// the log has no error.
import { expect, test } from 'vitest'
import { AuthenticatorApp } from '#testing/authenticator-app.ts'
import { clientOf } from './client.ts'
import { migratedDirectory, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'admin@banco.example', password: 'una clave de prueba larga' }

test('a function refuses who has not shown their second factor, and logs no error', async () => {
  const program = await startProgram({
    DATA_DIR: await migratedDirectory(),
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  })
  await untilReady(program)
  const first = await clientOf(program)
  await first.auth.signInWithPassword(administrator)
  const { data } = await first.auth.mfa.enroll({ factorType: 'totp' })
  const code = await new AuthenticatorApp(data?.type === 'totp' ? data.totp.secret : '').nextCode()
  await first.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })
  const second = await clientOf(program)
  await second.auth.signInWithPassword(administrator)

  const body = { action: 'delete', userId: crypto.randomUUID() }
  const { response } = await second.functions.invoke('manage-users', { body })

  expect(response?.status).toBe(403)
  expect(await response?.json()).toEqual({
    error: 'Escribe el código de tu aplicación de autenticación para continuar.',
  })
  expect(program.output()).not.toContain('"level":50')
})
