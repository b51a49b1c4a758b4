// The program in docs/api.md runs as it stands there.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { signUpCustomer } from '#conformance/people.ts'
import { recordExpenses } from './expenses.ts'

test('a customer reads their own balance and expenses with the ten lines of docs/api.md', async () => {
  const [program = ''] =
    /(?<=```js\n)[^`]*(?:`[^`]+`[^`]*)*?(?=\n```)/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
  const { url, anonKey } = inject('server')
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])
  await recordExpenses(customer, [{ amount: '12.50', description: 'Pan' }])
  await recordExpenses(other, [{ amount: 99, description: 'De otra persona' }])

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: {
      PATH: process.env['PATH'],
      BANK_URL: url,
      ANON_KEY: anonKey,
      EMAIL: customer.email,
      PASSWORD: customer.password,
    },
  })

  expect(program.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10)
  expect(JSON.parse(stdout)).toEqual({
    balance: -12.5,
    expenses: [{ date: expect.any(String), description: 'Pan', amount: '12.50' }],
  })
})
