/**
 * All scenarios of `npm run bench`, in the order in which they run. Scenarios that only read come before scenarios that
 * write, because writes add rows to the results of the reads. The sign-in scenario runs last, because only a customer's
 * fifty newest sessions stay valid and the other scenarios use older sessions.
 */
import { bankFiles } from '#bench/scenarios/bank-files.ts'
import { fairness } from '#bench/scenarios/fairness.ts'
import { fullList } from '#bench/scenarios/full-list.ts'
import { history } from '#bench/scenarios/history.ts'
import { lighthouse } from '#bench/scenarios/lighthouse.ts'
import { ownVerification } from '#bench/scenarios/own-verification.ts'
import { realtimePainted } from '#bench/scenarios/realtime-painted.ts'
import { balance, dashboard, dashboardEmbedded, deposit, expense } from '#bench/scenarios/requests.ts'
import { rlsOverhead } from '#bench/scenarios/rls-overhead.ts'
import { page } from '#bench/scenarios/page.ts'
import type { Scenario } from './scenario.ts'
import { refresh, signIn } from '#bench/scenarios/sign-in.ts'
import { slowNeighbours } from '#bench/scenarios/slow-neighbours.ts'
import { coldStart, memory } from '#bench/scenarios/startup-and-memory.ts'
import { transfers } from '#bench/scenarios/transfers.ts'

export const scenarios: Readonly<Record<string, Scenario>> = {
  dashboard,
  'dashboard-embedded': dashboardEmbedded,
  balance,
  'full-list': fullList,
  memory,
  'rls-overhead': rlsOverhead,
  expense,
  deposit,
  transfers,
  refresh,
  realtime: realtimePainted,
  start: coldStart,
  page,
  lighthouse,
  history,
  verification: ownVerification,
  'bank-files': bankFiles,
  fairness,
  'slow-neighbours': slowNeighbours,
  'sign-in': signIn,
}
