/**
 * Measures the time from the acknowledgement of a posting to the arrival of its event. For every change, the server
 * asks the database which of a hundred listeners may see the row.
 */
import { runArrival } from '#nightly/realtime/realtime.ts'
import { type Scenario, amountOf } from '#bench/scenario.ts'

export const realtimeArrival: Scenario = {
  title: 'From a posting to the event, 100 sockets that listen to everything, embedded',
  run: (_, order) =>
    runArrival({
      engine: 'embedded',
      sockets: amountOf(order, 100, 10),
      unfiltered: amountOf(order, 100, 10),
      changes: amountOf(order, 200, 10),
      perSecond: 10,
    }),
}
