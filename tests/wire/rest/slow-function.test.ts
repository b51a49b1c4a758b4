// A function that takes too long is ended by the database, and no other request waits for it. On the embedded
// engine: nightly/process/embedded-engine.test.ts.
import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AwakeClock } from '#testing/awake-clock.ts'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

const statementTimeoutMs = 5000

// The embedded engine belongs to one process: a test cannot make a function in it.
test.skipIf(inject('server').ownerUrl === null)(
  'a slow function answers 57014 in time, while others are answered',
  async () => {
    const name = `slow_${randomUUID().replaceAll('-', '')}`
    const customer = await signUpCustomer()
    await runAsOwner(
      `create function public.${name}() returns integer language sql volatile set search_path = ''
         as $$ select 1 from pg_sleep(60) $$`,
    )
    await expect.poll(async () => (await rawRest('GET', `/rpc/${name}`)).status, { interval: 200 }).toBe(405)

    const clock = new AwakeClock()
    onTestFinished(() => clock.stop())
    const state = { isOver: false, answeredMs: Number.NaN }
    const slow = rawRest('POST', `/rpc/${name}`, { as: customer, body: {} }).finally(() => {
      state.isOver = true
      // Here and not after the loop: its last request waits in the admission queue, where its slow user now pauses.
      state.answeredMs = clock.ms
    })
    let others = 0
    while (!state.isOver) {
      expect((await fetch(`${inject('server').url}/health`)).status).toBe(200)
      await recordExpenses(customer)
      others += 1
    }

    expect(await slow).toMatchObject({
      status: 500,
      body: { code: '57014', message: 'canceling statement due to statement timeout' },
    })
    expect(state.answeredMs).toBeLessThan(statementTimeoutMs + 2000)
    // Were others to wait for the slow one, one round would be all.
    expect(others).toBeGreaterThan(10)
    const { count } = await customer.client.from('transactions').select('*', { count: 'exact', head: true })
    expect(count).toBe(others)
    await runAsOwner(`drop function public.${name}`)
  },
)
