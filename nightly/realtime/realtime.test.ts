// The live connection's suites, small. Seen red with: every caller judged visible; a caller's own changes left out
// of the second half of a batch.
import { afterAll, describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { redOf } from '#nightly/controls.ts'
import type { Engine } from '#nightly/report/figure.ts'
import { removeTemplate } from '#nightly/places/place.ts'
import { runHostile } from './realtime.ts'

const engines: Engine[] = findPostgresBinaries() === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']

afterAll(() => removeTemplate())

describe.each(engines)('on the engine: %s', (engine) => {
  test('2,000 changes under hostile subscriptions: nobody hears of another, nobody misses their own', async () => {
    expect(redOf(await runHostile({ engine, people: 12, changes: 2000 }))).toEqual([])
  })
})
