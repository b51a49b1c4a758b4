import { isAdministrator, type useUser } from '#people/session/session.ts'
import { dashboardPeriod } from '#planning/sums/sums.ts'
import { readStored } from '#storage/device-storage.ts'

export const steps = ['expense', 'budget', 'history', 'name'] as const
/** The word that the device keeps once the customer has hidden the steps. */
export const hidden = 'hidden'

/** Class of the place of the first steps, which is kept while they load, so that nothing moves when they appear. */
export const stepsPlace = 'min-h-108 md:col-span-2'

/** Returns whether a customer joined in the months that the dashboard shows. */
export function hasJoinedLately(user: ReturnType<typeof useUser>, now: Date): boolean {
  return !isAdministrator(user) && user.created_at >= dashboardPeriod(now).since
}

/** Returns the key of the words that the device keeps: no id, but only a number that many ids share. */
export function keptKey(userId: string): string {
  const mark = [...userId].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) % 65_536, 0)
  return `finanzas-start-${mark}`
}

/** Returns the completed steps, and `hidden` if the customer hid them, as this device keeps them. */
export function readKept(userId: string): readonly string[] {
  return readStored(keptKey(userId))?.split(' ') ?? []
}

/** Returns whether all steps are completed, or the customer hid them. */
export function hasEnded(kept: readonly string[]): boolean {
  return kept.includes(hidden) || steps.every((step) => kept.includes(step))
}
