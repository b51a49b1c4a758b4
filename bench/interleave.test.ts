import { expect, test } from 'vitest'
import { type Side, interleaveRounds, rateMetrics } from './interleave.ts'

const side = (name: string, rate: number, more: Partial<Side> = {}): Side => ({
  name,
  measure: () => Promise.resolve(rate),
  answer: () => Promise.resolve(['five rows']),
  ...more,
})
const absent = (): Promise<never> => Promise.reject(new Error('The program did not answer.'))
const peer = side('peer', 5, { isPeer: true, answer: absent, warmUp: absent, measure: absent })
const full = { rounds: 2, isShort: false }

test('a peer that does not start leaves the other programs comparable', async () => {
  const metrics = rateMetrics(await interleaveRounds([side('ours', 20), peer, side('limit', 40)], full), {
    limit: 0.4,
    peer: 12,
  })

  expect(metrics.map(({ what, value, passed }) => [what, value, passed])).toEqual([
    ['ours', '20 /s', true],
    ['peer', 'was not measured', true],
    ['limit', '40 /s', true],
    ['limit — as a multiple of it', '0.5 ×', true],
  ])
})

test('the short form leaves out the peers', async () => {
  const rates = await interleaveRounds([side('ours', 20), side('peer', 5, { isPeer: true })], {
    rounds: 1,
    isShort: true,
  })

  expect([...rates]).toEqual([
    ['ours', [20]],
    ['peer', []],
  ])
})

test.for([
  ['another answer', () => Promise.resolve(['four rows'])],
  ['no rows', () => Promise.resolve([])],
  ['an error', absent],
] as const)('programs are not compared if a limit answers with %s', async ([_name, answer]) => {
  await expect(interleaveRounds([side('ours', 20), side('limit', 40, { answer })], full)).rejects.toThrow()
})
