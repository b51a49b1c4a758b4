// Grammar fuzz of the table API, small; `npm run nightly -- fuzz` runs 100,000. A seed is drawn and printed each time.
// Seen red with: `is not null` written for `is null` (15 of 30 filters differ); the policy of transactions `using
// (true)` (rows of another customer); SQLSTATE 42846 without a status (answers of 500).
import { expect, test } from 'vitest'
import { runFuzz } from './fuzz.ts'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000)

test(
  'no request makes the table API fail, tell, leak or answer other rows than it means',
  { timeout: 600_000 },
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

    const figures = await runFuzz({ engine: 'embedded', requests, filters: requests / 20, seed })

    process.stdout.write(`${figures.map(({ what, value }) => `${what}: ${value}`).join('; ')}\n`)
    expect(figures.filter(({ isMet }) => !isMet)).toEqual([])
  },
)
