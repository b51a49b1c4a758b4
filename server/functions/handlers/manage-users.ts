/**
 * `POST /functions/v1/manage-users`: an administrator creates or deletes a user (spec §6, §7). The
 * database decides whether the caller may; this only reads and answers.
 */
import { type CreateUser, parseManageUsers } from '@finanzas/contract/functions.ts'
import { readJson } from './json-body.ts'
import { Refusal } from './refusals.ts'

/** What the function needs of whatever stands behind it. Throws what `refusalOf` understands. */
export type UserRegister = {
  createUser(user: CreateUser): Promise<string>
  deleteUser(userId: string): Promise<void>
}

/** Answers 200 `{"id"}` of the user it made or deleted. Throws `Refusal` and what the register throws. */
export async function manageUsers(request: Request, register: UserRegister): Promise<Response> {
  const parsed = parseManageUsers(await readJson(request))
  if (!parsed.ok) throw new Refusal(400, parsed.message)
  if (parsed.value.action === 'create') return Response.json({ id: await register.createUser(parsed.value) })
  await register.deleteUser(parsed.value.userId)
  return Response.json({ id: parsed.value.userId })
}
