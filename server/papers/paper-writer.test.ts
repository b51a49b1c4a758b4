// The thread that draws papers.
import { expect, test } from 'vitest'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { type SigningKey, signCsv } from '@finanzas/contract/papers/signature.ts'
import { ClientLeft, PaperWriter } from './paper-writer.ts'
import { certifiedKey, exampleStatement, statementRow } from '#papers/testing/papers.ts'

/** A limit in milliseconds that no test reaches. */
const endless = 600_000
/** The signal of a client that waits for its paper. */
const staying = new AbortController().signal

test('papers that are requested together are all written, and one that cannot be written stops no other', async () => {
  const writer = new PaperWriter()
  const key = await certifiedKey()
  const csv = await signCsv(statementCsv(exampleStatement([statementRow(1)])), key)

  const [first, broken, second] = await Promise.allSettled([
    writer.write(csv, key, staying),
    writer.write('Fecha;Monto\r\n', key, staying),
    writer.write(csv, key, staying),
  ])

  expect([first.status, broken.status, second.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  for (const written of [first, second]) {
    if (written.status !== 'fulfilled') throw new Error('This paper was not written.')
    const verified = await verifyFile(written.value, () => Promise.resolve({ keys: [key.publicKey] }))
    expect(verified?.signature).toBe('valid')
  }
  await writer.close()
})

test('a short paper is drawn before the long ones that were requested earlier', async () => {
  const [writer, key] = [new PaperWriter(), await certifiedKey()]
  const [long, short] = await Promise.all([40, 1].map((count) => csvOf(count, key)))
  const drawn: string[] = []
  const write = async (name: string, csv = '') => {
    await writer.write(csv, key, staying)
    drawn.push(name)
  }

  await Promise.all([write('first', long), write('long', long), write('short', short)])

  expect(drawn).toEqual(['first', 'short', 'long'])
  await writer.close()
})

test('long words without spaces need no memory after they are drawn', async () => {
  const [writer, key] = [new PaperWriter({ memoryMax: 64 }), await certifiedKey()]
  const rows = Array.from({ length: 600 }, (_, index) =>
    statementRow(index + 1, { description: `${index}`.repeat(200).slice(0, 200) }),
  )

  const pdf = await writer.write(await signCsv(statementCsv(exampleStatement(rows)), key), key, staying)

  expect(pdf.length).toBeGreaterThan(100_000)
  await writer.close()
})

test('a paper that needs too much memory is refused, and the others are written', async () => {
  const [writer, key] = [new PaperWriter({ memoryMax: 36 }), await certifiedKey()]
  const [long, short] = await Promise.all([2500, 1].map((count) => csvOf(count, key)))

  const [refused, written] = await Promise.allSettled([
    writer.write(long ?? '', key, staying),
    writer.write(short ?? '', key, staying),
  ])

  expect(refused).toMatchObject({ reason: { name: 'PaperTooLarge' } })
  expect(written.status).toBe('fulfilled')
  await writer.close()
})

test.for([
  ['a paper that takes too long is refused', { drawMs: 0 }, 'PaperTooLarge'],
  ['a paper that waits too long for others is refused for now', { waitMs: 0 }, 'PapersBusy'],
] as const)('%s', async ([, limits, name]) => {
  const [writer, key] = [new PaperWriter(limits), await certifiedKey()]

  await expect(writer.write(await csvOf(1, key), key, staying)).rejects.toMatchObject({ name })
  await writer.close()
})

test('the paper of a client that leaves is not drawn further, and the others are written', async () => {
  const [writer, key] = [new PaperWriter({ drawMs: endless, waitMs: endless }), await certifiedKey()]
  const [long, short] = await Promise.all([10_000, 1].map((count) => csvOf(count, key)))
  const [drawn, waiting] = [new AbortController(), new AbortController()]
  const reason = new ClientLeft('The client closed the connection.')
  const ended: string[] = []
  const write = (name: string, csv = '', left = staying) =>
    writer.write(csv, key, left).finally(() => ended.push(name))

  const papers = Promise.allSettled([
    write('drawn', long, drawn.signal),
    write('waiting', short, waiting.signal),
    write('other', short),
  ])
  waiting.abort(reason)
  drawn.abort(reason)

  expect(await papers).toMatchObject([{ reason }, { reason }, { status: 'fulfilled' }])
  expect(ended).toEqual(['waiting', 'drawn', 'other'])
  await expect(writer.write(short ?? '', key, drawn.signal)).rejects.toBe(reason)
  await writer.close()
})

test('a server that ends waits for the requested papers, and refuses others for now', async () => {
  const [writer, key] = [new PaperWriter({ closeMs: endless }), await certifiedKey()]
  const csv = await csvOf(1, key)
  const papers = Promise.allSettled([writer.write(csv, key, staying), writer.write(csv, key, staying)])

  await writer.close()

  expect((await papers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await expect(writer.write(csv, key, staying)).rejects.toMatchObject({ name: 'PapersBusy' })
})

test('a server that ends refuses for now the papers that take too long', async () => {
  const [writer, key] = [new PaperWriter({ closeMs: 0 }), await certifiedKey()]
  const csv = await csvOf(1, key)
  const refused = expect(writer.write(csv, key, staying)).rejects.toMatchObject({ name: 'PapersBusy' })

  await writer.close()

  await refused
})

function csvOf(count: number, key: SigningKey): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => statementRow(index + 1))
  return signCsv(statementCsv(exampleStatement(rows)), key)
}
