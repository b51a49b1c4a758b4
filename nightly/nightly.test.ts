/**
 * The soak's suites, small: the same functions that `npm run nightly` runs at full size. Times are judged there and
 * not here. Each was seen red with its fault planted: `npm run nightly -- --plant …` shows it to anybody, and two of
 * them stand below.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { runAdministrators } from './ledger/administrators.ts'
import { runBank } from './bank/bank.ts'
import { runClock } from './ledger/clock.ts'
import { controls, redOf } from './controls.ts'
import { runDoublePosts } from './ledger/double-posts.ts'
import { diskFullRefusal, runDiskFull } from './ledger/disk-full.ts'
import type { Engine } from './report/figure.ts'
import { runModel } from './ledger/model.ts'
import { removeTemplate } from './places/place.ts'
import { runPowerLoss } from './power-loss/power-loss.ts'
import { runTampering } from './ledger/tampering.ts'

const seed = 20_261_121
const hasPostgres = findPostgresBinaries() !== undefined
const engines: Engine[] = hasPostgres ? ['embedded', 'PostgreSQL'] : ['embedded']

afterAll(() => removeTemplate())

test('the embedded server, killed under 16 writers, loses and doubles nothing', async () => {
  const figures = await runBank({
    target: 'the server, embedded',
    writers: 16,
    kills: 2,
    signal: 'SIGKILL',
    seed,
  })

  expect(redOf(figures)).toEqual([])
})

test('the embedded server, told to end under 16 writers, ends in order and loses nothing', async () => {
  const figures = await runBank({
    target: 'the server, embedded',
    writers: 16,
    kills: 2,
    signal: 'SIGTERM',
    seed,
  })

  expect(redOf(figures)).toEqual([])
})

test('after a power cut every disk opens, with everything that was acknowledged', async () => {
  expect(redOf(await runPowerLoss({ writes: 200, images: 5, seed }))).toEqual([])
})

describe.each(engines)('on the engine: %s', (engine) => {
  test('balances and lists are those of a model, after any mix of recording, deleting and undoing', async () => {
    expect(redOf(await runModel({ engine, operations: 400, seed }))).toEqual([])
  })

  test('a deposit that is sent again and again with one key is there once', async () => {
    expect(redOf(await runDoublePosts({ engine, keys: 40, seed }))).toEqual([])
  })

  test('whatever is changed, removed or exchanged in the journal is found', async () => {
    expect(redOf(await runTampering({ engine, mutations: 60, seed }))).toEqual([])
  })

  test('two administrators who demote each other at one moment leave one', async () => {
    expect(redOf(await runAdministrators({ engine, rounds: 15 }))).toEqual([])
  })
})

test('the clock may jump: nobody crashes, and nothing given out before lives longer', async () => {
  expect(redOf(await runClock())).toEqual([])
})

// A disk that fills up has to be small: mounting one takes root.
test.skipIf(diskFullRefusal() !== null)(
  'a full disk refuses writes and nothing else, until there is room again',
  async () => {
    expect(redOf(await runDiskFull({ rounds: 1 }))).toEqual([])
  },
)

// Without PostgreSQL on the machine there is nothing to kill; vitest.config.ts says so and CI refuses it.
describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  test('a database killed under 16 writers loses and doubles nothing', async () => {
    const figures = await runBank({ target: 'PostgreSQL', writers: 16, kills: 2, signal: 'SIGKILL', seed })

    expect(redOf(figures)).toEqual([])
  })

  test.each(['blind', 'undo'])('a planted fault is noticed: %s', async (plant) => {
    expect(redOf((await controls[plant]?.run(seed)) ?? [])).not.toEqual([])
  })
})
