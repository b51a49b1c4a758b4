/** The payload of the function `delete-account`: the password, asked again. */
import type { Parsed } from './functions.ts'
import { passwordLengthMax } from './limits.ts'

export type DeleteAccount = { password: string }

export function parseDeleteAccount(body: unknown): Parsed<DeleteAccount> {
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isRecord || Object.keys(body).some((key) => key !== 'password'))
    return { ok: false, message: 'El cuerpo debe ser un objeto JSON con la contraseña.' }
  const password = 'password' in body ? body.password : undefined
  if (typeof password !== 'string' || password === '') return { ok: false, message: 'Escribe tu contraseña.' }
  // A character has two units at most: longer text is no password, and not worth a hash.
  if (password.length > passwordLengthMax * 2) return { ok: false, message: 'La contraseña no es correcta.' }
  return { ok: true, value: { password } }
}
