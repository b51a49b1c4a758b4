// The certificate of an authority with which a bank signs its papers.
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pki from 'pkijs'
import { beforeAll, describe, expect, test } from 'vitest'
import { signatureBytesMax } from '@finanzas/contract/papers/pdf-signature.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { readStatementKeys, signCsv } from '@finanzas/contract/papers/signature.ts'
import { type KeyOfCertificate, makeCertificate } from './certificate.ts'
import { expiresOn, expiryOf, readOwnCertificate } from './own-certificate.ts'
import { type Contents, newKey, pkcs12 } from '#papers/testing/pkcs12.ts'
import { bank, exampleReceipt, exampleStatement, signedPdf, statementRow } from '#papers/testing/papers.ts'

const [from, to] = [new Date('2026-01-01'), new Date('2029-01-01')]
const now = new Date('2026-11-29')
const authority = { bankName: 'Autoridad' }
const root = { bankName: 'Autoridad raíz' }

let folder = ''
let keys: Record<'curve' | 'rsa' | 'large' | 'weak' | 'issuer' | 'root', KeyOfCertificate>
/** The certificates of the authority, the issuer before the root. */
let issuers: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  const [curve, rsa, large, weak, issuer, rootKey] = await Promise.all([
    newKey(null),
    newKey(3072),
    newKey(4096),
    newKey(2048),
    newKey(null),
    newKey(null),
  ])
  keys = { curve, rsa, large, weak, issuer, root: rootKey }
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
  await writeFile(path, await pkcs12({ keys: [], certificates: [], password: 'clave', ...contents }), {
    mode: 0o600,
  })
  return readOwnCertificate({ path, password }, at)
}

describe.for([
  ['curve', 'ES256', 128],
  ['rsa', 'RS256', 768],
  ['large', 'RS256', 1024],
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

test('among several certificates of the key, the server signs with the valid one that ends last', async () => {
  const [old, latest, later] = [
    await certified(keys.curve, { to: new Date('2026-06-01') }),
    await certified(keys.curve),
    await certified(keys.curve, { from: new Date('2028-12-01'), to: new Date('2031-01-01') }),
  ]

  const { publicKey } = await read({ keys: [keys.curve], certificates: [old, later, latest] })

  expect(publicKey.x5c?.[0]).toBe(latest)
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
        await writeFile(path, '-----BEGIN CERTIFICATE-----', { mode: 0o600 })
        return readOwnCertificate({ path, password: '' })
      },
      'no es un archivo PKCS #12',
    ],
    [
      'with a certificate that is not for signatures',
      async () => {
        const certificate = Buffer.from(await certified(keys.curve), 'base64')
        const usage = certificate.indexOf('030206c0', 'hex')
        // Only keyEncipherment.
        certificate.set([3, 2, 5, 0b0010_0000], usage)
        return read({ keys: [keys.curve], certificates: [certificate.toString('base64')] })
      },
      'no es para firmar documentos',
    ],
    [
      'with a file that is encrypted with a cipher that is no longer safe',
      async () =>
        read({ keys: [keys.curve], certificates: [await certified(keys.curve)], isOldCipher: true }),
      'está cifrado con un método antiguo',
    ],
    [
      'with a file whose integrity nothing protects',
      async () => {
        const contents = {
          keys: [keys.curve],
          certificates: [await certified(keys.curve)],
          password: 'clave',
        }
        const file = pki.PFX.fromBER(new Uint8Array(await pkcs12(contents)))
        delete file.macData
        const path = join(folder, 'abierto-a-cambios.p12')
        await writeFile(path, Buffer.from(file.toSchema().toBER()), { mode: 0o600 })
        return readOwnCertificate({ path, password: 'clave' })
      },
      'está cifrado con un método antiguo',
    ],
    [
      'with certificates that are too long for the signature of a paper',
      async () => {
        const long = { bankName: 'M'.repeat(signatureBytesMax) }
        const own = await makeCertificate({ bank: long, key: keys.curve, from, to })
        return read({ keys: [keys.curve], certificates: [own] })
      },
      'son demasiado largos',
    ],
    [
      'with a file that other users can read',
      async () => {
        const path = join(folder, 'abierto.p12')
        await writeFile(path, '')
        await chmod(path, 0o640)
        return readOwnCertificate({ path, password: '' })
      },
      'Otros usuarios pueden leer',
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

test('the server knows when its certificate expires', async () => {
  const key = await read({ keys: [keys.curve], certificates: [await certified(keys.curve), ...issuers] })

  expect(expiryOf(key)).toEqual(to)
})
