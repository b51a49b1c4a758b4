import { staffCopy } from '#features/admin/staff-copy.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/claims.ts'
import type { ProfileWithUser } from '@finanzas/contract/rows.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { fold } from '#format/text.ts'

export type ListedUser = {
  id: string
  fullName: string
  name: string
  email: string
  role: Role
  lastSignInAt: string | null
  /** The text that a search looks through, without accents and capitals. */
  searched: string
}

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }): Promise<ListedUser[]> => {
    const client = await backend()
    const rows: ProfileWithUser[] = unwrap(
      await client
        .from('profiles')
        .select('id, full_name, role, user_safe(email, last_sign_in_at)')
        .abortSignal(signal),
    )
    return rows.map(listedUser).sort((one, other) => one.name.localeCompare(other.name, 'es'))
  },
})

export function searchUsers(users: readonly ListedUser[], search: string): readonly ListedUser[] {
  const wanted = fold(search.trim())
  return wanted === '' ? users : users.filter((user) => user.searched.includes(wanted))
}

export async function updateRole(id: string, role: Role): Promise<void> {
  const client = await backend()
  unwrap(await client.from('profiles').update({ role }).eq('id', id))
}

export function listedUser({ id, full_name, role, user_safe }: ProfileWithUser): ListedUser {
  const email = user_safe?.email ?? ''
  const fullName = full_name?.trim() ?? ''
  const name = fullName || email || staffCopy.unnamed
  return {
    id,
    fullName,
    name,
    email,
    role,
    lastSignInAt: user_safe?.last_sign_in_at ?? null,
    searched: fold(`${name}\n${email}\n${staffCopy.roles[role]}`),
  }
}
