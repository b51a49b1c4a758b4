/**
 * `POST /functions/v1/delete-account`: a customer has themself erased (product-decisions §11.2, security.md PR-02). Who
 * finds an open session must not be able to, so the password is asked once more.
 */
import { parseDeleteAccount } from '@finanzas/contract/delete-account.ts'
import { readJson } from './json-body.ts'
import { Refusal } from './refusals.ts'

/** What the function needs of whatever stands behind it. Throws what `refusalOf` understands. */
export type OwnAccount = {
  /** Whether the caller's password is this one. */
  hasPassword(password: string): Promise<boolean>
  erase(): Promise<void>
}

/** Answers 200 `{"message"}` with a goodbye. Throws `Refusal` and what the account throws. */
export async function deleteAccount(request: Request, account: OwnAccount): Promise<Response> {
  const parsed = parseDeleteAccount(await readJson(request))
  if (!parsed.ok) throw new Refusal(400, parsed.message)
  if (!(await account.hasPassword(parsed.value.password)))
    throw new Refusal(403, 'La contraseña no es correcta.')
  await account.erase()
  return Response.json({ message: 'Tu cuenta fue eliminada. Gracias por haber confiado en nosotros.' })
}
