/**
 * Measures the time from the acknowledgement of a posting to the arrival of its event. For every change, the server
 * asks the database which of a hundred listeners may see the row.
 */
import { runArrival } from '#nightly/realtime/realtime.ts'
import type { Scenario } from '#bench/scenario.ts'

export const realtimeArrival: Scenario = {
  title: 'From a posting to the event, 100 sockets that listen to everything, embedded',
  run: () => runArrival({ engine: 'embedded', sockets: 100, unfiltered: 100, changes: 200, perSecond: 10 }),
}
