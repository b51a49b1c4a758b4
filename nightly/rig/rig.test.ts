/**
 * The rig, small; `npm run nightly -- rig` has it whole, with the browser's story. Times are judged there. The second test
 * is its planted fault: a primary that does not wait for its replica.
 */
import { expect, test } from 'vitest'
import { controls, redOf } from '#nightly/controls.ts'
import { rigRefusal } from './place.ts'
import { runRig } from './rig.ts'

const seed = 20_261_121

// Debian's haproxy and pgbouncer are on machines that operate something, and on few others.
test.skipIf(rigRefusal() !== null)(
  'a server killed, the other exchanged and the primary lost: nobody loses a movement, every page comes back',
  async () => {
    expect(redOf(await runRig({ writers: 8, watchers: 4, seed, hasBrowser: false }))).toEqual([])
  },
)

// As above.
test.skipIf(rigRefusal() !== null)('a primary that does not wait for its replica is noticed', async () => {
  const red = redOf((await controls['asynchronous']?.run(seed)) ?? [])

  expect(red.map(({ what }) => what)).toContain('lost acknowledged writes')
})
