import { useUser } from '#people/session/session.ts'
import { staffCopy } from '#staff/staff-copy.ts'

/** Tells administrators that an account is their own, before they try to record a transaction in it. */
export function OwnAccount({ id }: { id: string }) {
  if (useUser().id !== id) return null
  return (
    <p className="rounded-md bg-warning-soft px-3.5 py-3 text-sm text-warning">
      {staffCopy.ownAccountNotice}
    </p>
  )
}
