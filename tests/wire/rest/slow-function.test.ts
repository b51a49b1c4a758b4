// The database cancels a function that runs too long, and other requests do not wait for it.
// nightly/process/embedded-engine.test.ts tests the same behaviour on the embedded engine.
import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AwakeClock } from '#testing/awake-clock.ts'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

const statementTimeoutMs = 5000

// On the embedded engine, tests cannot run SQL as the owner.
test.skipIf(!hasOwner)(
  'a slow function is cancelled with 57014 and does not delay other requests',
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
      // Reads the time here instead of after the loop. The loop's last request waits in the admission queue, which
      // delays a user whose function is slow.
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
    // If other requests waited for the slow function, the loop would run only once.
    expect(others).toBeGreaterThan(10)
    const { count } = await customer.client.from('transactions').select('*', { count: 'exact', head: true })
    expect(count).toBe(others)
    await runAsOwner(`drop function public.${name}`)
  },
)
