/**
 * Measures how much the session check and row-level security add to every request. The scenario measures one server on
 * one temporary database. In turns, the server runs with both checks and without them.
 */
import { type Owner, sql } from '#server/database/database.ts'
import { readersOf } from '#bench/fixtures/customers.ts'
import { dashboardRequest } from './requests.ts'
import { atMost, metricWithoutThreshold } from '#testing/report.ts'
import { median, ratioOf } from '#testing/statistics.ts'
import { httpSide } from '#bench/http-side.ts'
import { interleaveRounds } from '#bench/interleave.ts'
import { rowsOf } from '#bench/fixtures/rows.ts'
import type { Scenario } from '#bench/scenario.ts'
import { httpTexts } from '#bench/fixtures/wire-request.ts'

/**
 * The session check and row-level security together take 30 to 40 µs of the database's time. The rest of a read takes
 * little time, because reads share connections. The checks are therefore a large share of a request's time.
 */
const percentMax = 25

export const rlsOverhead: Scenario = {
  title: 'Revocation check and row-level security, share of a request, PostgreSQL',
  limit: 'the same server and database without the session check and row-level security',
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const server = await bank.server()
    const requests = readersOf(bank.size).map(dashboardRequest)
    const texts = await httpTexts(requests)
    const side = httpSide('either', { server, texts, order })
    const check = await definitionOf(bank.owner, 'auth.require_session(uuid, uuid)')
    const without = async <T>(act: () => Promise<T>): Promise<T> => {
      await bank.owner.script(`
        create or replace function auth.require_session(session uuid, person uuid) returns void
          language plpgsql stable security definer as 'begin end';
        alter table public.transactions no force row level security, disable row level security`)
      try {
        return await act()
      } finally {
        await bank.owner.script(
          `${check}; alter table public.transactions enable row level security, force row level security`,
        )
      }
    }
    // The warm-up is necessary, because PostgreSQL replans the first requests after a schema change.
    const measure = async () => {
      await side.warmUp?.()
      return side.measure()
    }
    const rates = await interleaveRounds(
      [
        { name: 'with both', measure, answer: () => rowsOf(server, dashboardRequest(1)) },
        {
          name: 'without',
          measure: () => without(measure),
          answer: () => without(() => rowsOf(server, dashboardRequest(1))),
        },
      ],
      order,
    )
    const [both = [], neither = []] = [rates.get('with both'), rates.get('without')]
    return [
      metricWithoutThreshold('with both', median(both), '/s'),
      metricWithoutThreshold('without', median(neither), '/s'),
      atMost('share of a request', (1 - ratioOf(both, neither)) * 100, percentMax, '%'),
    ]
  },
}

async function definitionOf(owner: Owner, name: string): Promise<string> {
  const [row] = await owner.query(
    sql<{ text: string }>`select pg_get_functiondef(${name}::regprocedure) as text`,
  )
  if (row === undefined) throw new Error(`${name} does not exist.`)
  return row.text
}
