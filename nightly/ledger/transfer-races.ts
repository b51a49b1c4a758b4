/**
 * Pairs of calls about one transfer at the same moment, each on its own connection of PostgreSQL. Every transfer must
 * end once, its money must move at most once, and the two calls must not deadlock. The test does not use the embedded
 * engine, because that engine runs only one database transaction at a time.
 */
import { SqlError } from '#server/database/database.ts'
import { addPerson } from '#tests/database/people.ts'
import { type Race, runRound, transferRaces } from '#tests/database/transfer-race.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { openTransferBank } from '#nightly/fixtures/servers.ts'

/**
 * Number of rounds that run at the same time. The calls of these rounds also compete for the lock of the audit chain.
 */
const roundsAtOnce = 6
const deadlock = '40P01'

/** Runs `rounds` rounds of each race. */
export async function runTransferRaces({ rounds }: { rounds: number }): Promise<Metric[]> {
  const bank = await openTransferBank('PostgreSQL')
  try {
    const faults: string[] = []
    const deadlocks: string[] = []
    const metrics: Metric[] = []
    for (const [name, race] of Object.entries(transferRaces)) {
      const states = await runRace(name, race)
      const ended = Object.entries(Object.groupBy(states, (state) => state))
      metrics.push(
        counted(`rounds of ${name}`, states.length, rounds),
        metricWithoutThreshold('— ended', ended.map(([state, all]) => `${all?.length} ${state}`).join(', ')),
      )
    }
    const { broken, entries } = await verifyLedger(bank.database)
    for (const sentence of [...faults, ...deadlocks].slice(0, 5)) console.error(sentence)
    return [
      ...metrics,
      none('rounds with two outcomes, money moved twice or another sum', faults),
      none(`deadlocks (${deadlock})`, deadlocks),
      counted('entries verified at the end', entries),
      none('broken chains and transfers at the end', broken === null ? 0 : 1),
    ]

    async function runRace(name: string, race: Race): Promise<string[]> {
      const states: string[] = []
      let begun = 0
      const lane = async () => {
        // Each lane gets administrators of its own, because the bank limits the number of returns that one
        // administrator can make in ten minutes.
        const administrator = await addPerson(bank.database, 'admin')
        const colleague = await addPerson(bank.database, 'admin')
        while (begun < rounds) {
          begun += 1
          const isReversed = begun % 2 === 0
          try {
            const round = await runRound(race, { bank: { ...bank, administrator }, colleague, isReversed })
            states.push(round.status)
            for (const fault of round.faults) faults.push(`${name}: ${fault}`)
          } catch (error) {
            if (!(error instanceof SqlError)) throw error
            const found = error.sqlState === deadlock ? deadlocks : faults
            found.push(`${name}: ${error.sqlState} ${error.message}`)
          }
        }
      }
      await Promise.all(Array.from({ length: roundsAtOnce }, lane))
      return states
    }
  } finally {
    await bank.close()
  }
}
