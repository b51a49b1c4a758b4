/** Kills a server while it posts a batch. The next start continues the batch and posts each deposit once. */
import { expect, test } from 'vitest'
import { signIn, signUp } from '#testing/people.ts'
import { startBank } from './programs.ts'

const linesCount = 2000

test('a batch continues after its server was killed and restarted, and posts every deposit once', async () => {
  const program = await startBank({ AUTH_AUTOCONFIRM: 'true' })
  const [office, customer] = [await signIn(program), await signUp(program)]
  const lines = Array.from({ length: linesCount }, (_, index) => ({
    line: index + 1,
    user_id: customer.id,
    amount: 0.01,
    description: 'Nómina',
  }))
  const id = crypto.randomUUID()
  const progress = async () =>
    (await office.client.from('batches').select('posted, finished_at').eq('id', id).single()).data
  const { error } = await office.client.rpc('create_batch', { id, title: 'nomina.csv', lines })
  expect(error).toBeNull()
  await expect.poll(async () => (await progress())?.['posted'], { interval: 20 }).toBeGreaterThan(0)

  await program.stop('SIGKILL')
  const killedAt = Date.now()
  await program.start()

  await expect.poll(async () => (await progress())?.['posted'], { timeout: 60_000 }).toBe(linesCount)
  expect(Date.parse((await progress())?.['finished_at'] as string)).toBeGreaterThan(killedAt)
  const { data } = await customer.client.from('budgets').select('balance').single()
  expect(data).toEqual({ balance: linesCount / 100 })
})
