// A server of a bank that brings its own certificate for papers.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStatementCsv } from '@finanzas/contract/papers/csv.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { readStatementKeys, statementKeysPath } from '@finanzas/contract/papers/signature.ts'
import { bankCertificate } from '#server/papers/testing/pkcs12.ts'
import { signUp } from '#testing/people.ts'
import { emptyDirectory, startBank } from './programs.ts'

test('a bank with its own certificate publishes it at the start and signs every paper with it', async () => {
  const file = join(await emptyDirectory(), 'banco.p12')
  await writeFile(file, await bankCertificate('clave'), { mode: 0o600 })
  const server = await startBank({
    AUTH_AUTOCONFIRM: 'true',
    PAPER_CERTIFICATE: file,
    PAPER_CERTIFICATE_PASSWORD: 'clave',
  })
  const keys = readStatementKeys(await (await fetch(`${server.url}${statementKeysPath}`)).json())
  const { client } = await signUp(server)
  const issue = async <Answer>(format: 'csv' | 'pdf') =>
    (await client.functions.invoke<Answer>('statement', { body: { month: '2026-01', format } })).data

  const csv = (await issue<{ csv: string }>('csv'))?.csv ?? ''
  const pdf = await issue<Blob>('pdf')

  expect(keys?.keys).toMatchObject([{ alg: 'RS256', x5c: [expect.any(String)] }])
  expect(readStatementCsv(csv)?.signature?.kid).toBe(keys?.keys[0]?.kid)
  for (const paper of [new TextEncoder().encode(csv), new Uint8Array((await pdf?.arrayBuffer()) ?? [])])
    expect(await verifyFile(paper, () => Promise.resolve({ keys: keys?.keys ?? [] }))).toMatchObject({
      signature: 'valid',
    })
})
