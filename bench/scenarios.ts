/** Every scenario of `npm run bench`, in the order in which all of them run: reads before what adds rows to them. */
import { dashboard, dashboardEmbedded } from './dashboard-read.ts'
import { fairness } from './fairness.ts'
import { fullList } from './full-list.ts'
import { history } from './history.ts'
import { ownVerification } from './own-verification.ts'
import { realtime } from './realtime-delivery.ts'
import { rightsShare } from './rights-share.ts'
import { routeChanges } from './routes.ts'
import type { Scenario } from './scenario.ts'
import { refresh, signIn } from './sign-in.ts'
import { balance } from './single-balance.ts'
import { coldStart, memory } from './standing.ts'
import { deposit, expense } from './writes.ts'

export const scenarios: Readonly<Record<string, Scenario>> = {
  dashboard,
  'dashboard-embedded': dashboardEmbedded,
  balance,
  'full-list': fullList,
  memory,
  'rights-share': rightsShare,
  expense,
  deposit,
  'sign-in': signIn,
  refresh,
  realtime,
  start: coldStart,
  routes: routeChanges,
  history,
  verification: ownVerification,
  fairness,
}
