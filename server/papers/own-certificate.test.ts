// The certificate of an authority with which a bank signs its papers.
import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { readStatementKeys, signCsv } from '@finanzas/contract/papers/signature.ts'
import { type KeyOfCertificate, makeCertificate } from './certificate.ts'
import { expiresOn, readOwnCertificate } from './own-certificate.ts'
import { type Contents, newKey, pkcs12 } from '#papers/testing/pkcs12.ts'
import { bank, exampleReceipt, exampleStatement, signedPdf, statementRow } from '#papers/testing/papers.ts'

const [from, to] = [new Date('2026-01-01'), new Date('2029-01-01')]
const now = new Date('2026-11-29')
const authority = { bankName: 'Autoridad' }
const root = { bankName: 'Autoridad raíz' }

let folder = ''
let keys: Record<'curve' | 'rsa' | 'weak' | 'issuer' | 'root', KeyOfCertificate>
/** The certificates of the authority, the issuer before the root. */
let issuers: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  const [curve, rsa, weak, issuer, rootKey] = await Promise.all([
    newKey(null),
    newKey(3072),
    newKey(2048),
    newKey(null),
    newKey(null),
  ])
  keys = { curve, rsa, weak, issuer, root: rootKey }
  issuers = [
    await makeCertificate({ bank: authority, key: issuer, issuer: { bank: root, key: rootKey }, from, to }),
    await makeCertificate({ bank: root, key: rootKey, from, to }),
  ]
})

const certified = (key: KeyOfCertificate, part: { from?: Date; to?: Date } = {}) =>
  makeCertificate({ bank, key, issuer: { bank: authority, key: keys.issuer }, from, to, ...part })

/** Writes the file of a bank and reads it as the server does when it starts. */
async function read(contents: Partial<Contents>, password = 'clave', at = now) {
  const path = join(folder, `${randomUUID()}.p12`)
  await writeFile(path, await pkcs12({ keys: [], certificates: [], password: 'clave', ...contents }))
  return readOwnCertificate({ path, password }, at)
}

describe.for([
  ['curve', 'ES256', 128],
  ['rsa', 'RS256', 768],
] as const)('a bank with its own certificate for a key of the kind %s', ([kind, alg, digits]) => {
  test('signs papers that everybody verifies with the published key', async () => {
    const own = await certified(keys[kind])
    const key = await read({ keys: [keys[kind]], certificates: [issuers[1] ?? '', own, issuers[0] ?? ''] })

    expect(key.publicKey).toMatchObject({ alg, x5c: [own, ...issuers] })
    const published = readStatementKeys(JSON.parse(JSON.stringify({ keys: [key.publicKey] })))
    if (published === null) throw new Error('The keys are not readable.')
    const verify = (bytes: Uint8Array) => verifyFile(bytes, () => Promise.resolve(published))
    const statement = exampleStatement([statementRow(1)])
    const csv = await signCsv(statementCsv(statement), key)
    expect(await verify(new TextEncoder().encode(csv))).toMatchObject({
      signature: 'valid',
      document: { signature: { value: expect.stringMatching(new RegExp(`^[\\da-f]{${digits}}$`)) } },
    })
    expect(await verify(new TextEncoder().encode(csv.replace('Ñandú', 'Nandú')))).toMatchObject({
      signature: 'false',
    })
    for (const paper of [statement, exampleReceipt()])
      expect(await verify(await signedPdf(paper, key))).toMatchObject({
        signature: 'valid',
        document: { bankName: 'Banco Ñandú' },
      })
  })
})

test('a renewed certificate for the same key has another id, so that both are published', async () => {
  const [before, after] = [await certified(keys.curve), await certified(keys.curve)]

  const ids = await Promise.all(
    [before, after].map(
      async (own) => (await read({ keys: [keys.curve], certificates: [own] })).publicKey.kid,
    ),
  )

  expect(new Set(ids).size).toBe(2)
})

describe('the server refuses to start', () => {
  test.for([
    [
      'with another password',
      () => read({ keys: [keys.rsa] }, 'otra'),
      'PAPER_CERTIFICATE_PASSWORD no es la contraseña',
    ],
    [
      'with a certificate that has expired',
      async () =>
        read(
          { keys: [keys.curve], certificates: [await certified(keys.curve)] },
          'clave',
          new Date('2029-02-01'),
        ),
      'venció el 2029-01-01',
    ],
    [
      'with a certificate that is not valid yet',
      async () =>
        read(
          { keys: [keys.curve], certificates: [await certified(keys.curve)] },
          'clave',
          new Date('2025-02-01'),
        ),
      'vale desde el 2026-01-01',
    ],
    [
      'with a key that is too weak',
      async () => read({ keys: [keys.weak], certificates: [await certified(keys.weak)] }),
      'debe ser RSA de 3072 o 4096 bits, o P-256',
    ],
    [
      'with the certificate of another key',
      async () => read({ keys: [keys.rsa], certificates: [await certified(keys.curve)] }),
      'una sola clave privada',
    ],
    [
      'with two private keys',
      async () => read({ keys: [keys.rsa, keys.curve], certificates: [await certified(keys.rsa)] }),
      'una sola clave privada',
    ],
    [
      'without a private key',
      async () => read({ certificates: [await certified(keys.rsa)] }),
      'una sola clave privada',
    ],
    [
      'with a file that is not there',
      () => readOwnCertificate({ path: join(folder, 'nada.p12'), password: '' }),
      'no se puede leer',
    ],
    [
      'with a file of another kind',
      async () => {
        const path = join(folder, 'texto.p12')
        await writeFile(path, '-----BEGIN CERTIFICATE-----')
        return readOwnCertificate({ path, password: '' })
      },
      'no es un archivo PKCS #12',
    ],
  ] as const)('%s', async ([, start, sentence]) => {
    await expect(start()).rejects.toMatchObject({
      name: 'CertificateRefused',
      message: expect.stringContaining(sentence),
    })
  })
})

test('a start announces a certificate that will expire soon', async () => {
  const key = await read({ keys: [keys.curve], certificates: [await certified(keys.curve)] })

  expect([expiresOn(key, 60, new Date('2028-12-01')), expiresOn(key, 60, now)]).toEqual(['2029-01-01', null])
})
