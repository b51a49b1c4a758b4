/**
 * Three customers send reads that each take one second on PostgreSQL, while a fourth customer reads their own balance.
 */
import { readersOf } from '#bench/fixtures/customers.ts'
import { httpTexts } from '#bench/fixtures/wire-request.ts'
import { sendAnyLoad } from '#bench/http-side.ts'
import { atMost, metricWithoutThreshold } from '#testing/report.ts'
import { median, ratioOf } from '#testing/statistics.ts'
import { type Scenario, amountOf } from '#bench/scenario.ts'
import { balanceRequest } from './requests.ts'

const slowReaders = 3
const secondsEach = 4
const secondsEachShort = 1.5
/** Pause between two balance requests. */
const pauseMs = 5

export const slowNeighbours: Scenario = {
  title: 'A balance beside reads of a second, PostgreSQL',
  limit: 'the same balance, read alone',
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const seconds = amountOf(order, secondsEach, secondsEachShort)
    await bank.owner.script(`
      create or replace function public.wait_for_a_second() returns void language sql stable
        as 'select pg_sleep(1)';
      create or replace function public.count_for_a_second() returns bigint language sql stable
        as 'select count(*) from generate_series(1, 5000000)';
      grant execute on function public.wait_for_a_second(), public.count_for_a_second() to authenticated`)
    const server = await bank.server()
    const [bystander = 1, ...others] = readersOf(bank.size)
    const balance = await httpTexts([balanceRequest(bystander)])
    const slowReads = (name: string) =>
      httpTexts(
        others.slice(0, slowReaders).map((person) => ({
          person,
          method: 'POST',
          path: `/rest/v1/rpc/${name}`,
          body: '{}',
        })),
      )
    const [waiting, counting] = [await slowReads('wait_for_a_second'), await slowReads('count_for_a_second')]
    const read = async () => {
      const load = { texts: balance, connections: 1, pauseMs, seconds }
      return (await sendAnyLoad(server, load)).accepted.p99SinceSentMs
    }
    const readBeside = async (texts: readonly string[]) => {
      const slow = sendAnyLoad(server, { texts, connections: slowReaders, seconds })
      const p99 = await read()
      await slow
      return p99
    }
    const alone: number[] = []
    const besideWaiting: number[] = []
    const besideCounting: number[] = []
    await read()
    for (let round = 0; round < order.rounds; round += 1) {
      alone.push(await read())
      besideWaiting.push(await readBeside(waiting))
      besideCounting.push(await readBeside(counting))
    }
    return [
      metricWithoutThreshold('the balance alone, p99', median(alone), 'ms'),
      atMost('— beside reads that wait, as a multiple of it', ratioOf(besideWaiting, alone), 2, '×'),
      metricWithoutThreshold('— beside reads that keep all cores busy', ratioOf(besideCounting, alone), '×'),
    ]
  },
}
