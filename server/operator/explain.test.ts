import { expect, test } from 'vitest'
import { ConfigError } from '#settings/rules.ts'
import { explain } from './explain.ts'

test('an error is explained to the operator even if the closing after it failed too', async () => {
  const start = async () => {
    await using closers = new AsyncDisposableStack()
    closers.defer(() => Promise.reject(new Error('The checkpoint failed.')))
    closers.defer(() => Promise.reject(new Error('The server could not be closed.')))
    throw new ConfigError('PORT debe ser un número entero.')
  }

  const error = await start().catch((caught: unknown) => caught)

  expect(explain(error)).toBe('PORT debe ser un número entero.')
})
