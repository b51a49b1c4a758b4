import { expect, test } from 'vitest'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import { PaperTooLarge, PapersBusy } from '#papers/paper-writer.ts'
import type { CallContext, RuntimeServices } from './local-call.ts'
import { localRuntime } from './local-runtime.ts'

const runtime = localRuntime({ config: {} } as RuntimeServices, {} as CallContext)
const refusal = (sqlState: string) => new SqlError({ message: '', sqlState })

test.each([
  ['a full disk', refusal('53100')],
  ['a deadlock', refusal('40P01')],
  ['a server that ends', refusal('57P01')],
  ['a customer’s row that was waited for too long', refusal('57014')],
  ['trouble with the disk', refusal('58030')],
  ['a standby that was not promoted yet', refusal('25006')],
  ['a database that is away', new DatabaseUnavailable('away')],
  ['a paper that waited too long for others', new PapersBusy()],
])('%s is reported as an outage', (_name, error) => {
  expect(runtime.errorOf(error)).toMatchObject({ status: 503, retryAfterSeconds: 2 })
})

test('a missing privilege is not an outage', () => {
  expect(runtime.errorOf(refusal('42501'))).toBeNull()
})

test('the answer to a paper that is too large for a PDF names the CSV', () => {
  expect(runtime.errorOf(new PaperTooLarge())).toMatchObject({
    status: 413,
    message: expect.stringContaining('Descárgalo en CSV.'),
  })
})
