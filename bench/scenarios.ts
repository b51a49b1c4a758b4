/**
 * Every scenario of `npm run bench`, in order: reads before the writes that add rows to them, and the sign-in last.
 * Only the newest fifty sessions of a customer stay, and the other scenarios use older ones.
 */
import { fairness } from './scenarios/fairness.ts'
import { fullList } from './scenarios/full-list.ts'
import { history } from './scenarios/history.ts'
import { lighthouse } from './scenarios/lighthouse.ts'
import { ownVerification } from './scenarios/own-verification.ts'
import { realtimeArrival } from './scenarios/realtime-arrival.ts'
import { realtimePainted } from './scenarios/realtime-painted.ts'
import { balance, dashboard, dashboardEmbedded, deposit, expense } from './scenarios/requests.ts'
import { rlsOverhead } from './scenarios/rls-overhead.ts'
import { page } from './scenarios/page.ts'
import type { Scenario } from './scenario.ts'
import { refresh, signIn } from './scenarios/sign-in.ts'
import { slowNeighbours } from './scenarios/slow-neighbours.ts'
import { coldStart, memory } from './scenarios/startup-and-memory.ts'

export const scenarios: Readonly<Record<string, Scenario>> = {
  dashboard,
  'dashboard-embedded': dashboardEmbedded,
  balance,
  'full-list': fullList,
  memory,
  'rls-overhead': rlsOverhead,
  expense,
  deposit,
  refresh,
  realtime: realtimePainted,
  'realtime-arrival': realtimeArrival,
  start: coldStart,
  page,
  lighthouse,
  history,
  verification: ownVerification,
  fairness,
  'slow-neighbours': slowNeighbours,
  'sign-in': signIn,
}
