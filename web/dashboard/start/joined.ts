import { isAdministrator, type useUser } from '#people/session/session.ts'
import { dashboardPeriod } from '#planning/sums/sums.ts'

/** Class of the place of the first steps, which is kept while they load, so that nothing moves when they appear. */
export const stepsPlace = 'min-h-108 md:col-span-2'

/** Returns whether a customer joined in the months that the dashboard shows. */
export function hasJoinedLately(user: ReturnType<typeof useUser>, now: Date): boolean {
  return !isAdministrator(user) && user.created_at >= dashboardPeriod(now).since
}
