// The thread that draws papers.
import { expect, test } from 'vitest'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { signCsv } from '@finanzas/contract/papers/signature.ts'
import { PaperWriter } from './paper-writer.ts'
import { certifiedKey, exampleStatement, statementRow } from '#papers/testing/papers.ts'

test('papers that are requested together are all written, and one that cannot be written stops no other', async () => {
  const writer = new PaperWriter()
  const key = await certifiedKey()
  const csv = await signCsv(statementCsv(exampleStatement([statementRow(1)])), key)

  const [first, broken, second] = await Promise.allSettled([
    writer.write(csv, key),
    writer.write('Fecha;Monto\r\n', key),
    writer.write(csv, key),
  ])

  expect([first.status, broken.status, second.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  for (const written of [first, second]) {
    if (written.status !== 'fulfilled') throw new Error('This paper was not written.')
    const verified = await verifyFile(written.value, () => Promise.resolve({ keys: [key.publicKey] }))
    expect(verified?.signature).toBe('valid')
  }
  await writer.close()
})

test('a writer whose thread was ended writes the next paper with a new thread', async () => {
  const writer = new PaperWriter()
  const key = await certifiedKey()
  const csv = await signCsv(statementCsv(exampleStatement([])), key)
  const lost = expect(writer.write(csv, key)).rejects.toThrow('The thread that draws papers ended.')

  await writer.close()

  await lost
  expect((await writer.write(csv, key)).length).toBeGreaterThan(1000)
  await writer.close()
})
