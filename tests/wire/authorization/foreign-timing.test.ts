// A request about another customer's row takes the same time as a request about a missing row (security.md AZ-10). The
// test runs nightly, because other work on the machine would disturb the measurement.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type ForeignRows, type ProbeRequest, makeForeignRows, probe, requestAbout } from './request-probe.ts'

let token: string
let foreign: ForeignRows
beforeAll(async () => {
  ;({ token, foreign } = await makeForeignRows())
})

const pairs = 300
const tries = 5

test.each<[name: string, text: string, body?: object]>([
  ['reading', 'GET /transactions?id=eq.ID'],
  ['changing', 'PATCH /budgets?user_id=eq.ID', { monthly_limit: 5 }],
  ['deleting', 'DELETE /transactions?id=eq.ID'],
  ['calling', 'POST /rpc/restore_transaction', { id: 'ID' }],
])(
  '%s another customer’s row takes the same time as a missing row',
  { timeout: 120_000 },
  async (name, text, body) => {
    const of = (id: string) => requestAbout(id, text, body)
    const theirs =
      name === 'changing' ? [foreign.person] : name === 'calling' ? [foreign.deleted] : foreign.rows
    const shares: number[] = []

    // Repeats the measurement, because random variation exceeds the bounds only occasionally. A real difference exceeds
    // the bounds every time.
    for (let count = 0; count < tries && !shares.some(isEven); count += 1)
      shares.push(await shareOfSlower(of, theirs))

    expect(shares.some(isEven), `the foreign one was slower in shares ${shares.join(', ')}`).toBe(true)
  },
)

function isEven(share: number): boolean {
  return share >= 0.45 && share <= 0.55
}

/**
 * Returns the share of pairs in which the request for the foreign row took longer than the request for the missing row
 * (area under the ROC curve).
 */
async function shareOfSlower(of: (id: string) => ProbeRequest, theirs: readonly string[]): Promise<number> {
  const none = theirs.map(() => randomUUID())
  const times: { ms: number; isForeign: boolean }[] = []
  for (let count = -10; count < pairs; count += 1) {
    const both = [true, false]
    if (Math.random() < 0.5) both.reverse()
    for (const isForeign of both) {
      const id = (isForeign ? theirs : none)[Math.abs(count) % theirs.length] ?? ''
      const request = of(id)
      const startedAt = performance.now()
      await probe(request, token)
      // Ignores the first requests, which warm up the server.
      if (count >= 0) times.push({ ms: performance.now() - startedAt, isForeign })
    }
  }
  times.sort((a, b) => a.ms - b.ms)
  const ranks = times.reduce((sum, { isForeign }, rank) => sum + (isForeign ? rank + 1 : 0), 0)
  return (ranks - (pairs * (pairs + 1)) / 2) / pairs ** 2
}
