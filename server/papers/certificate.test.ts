// The certificate that the bank issues to its own key.
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { newSigningKey } from '@finanzas/contract/papers/signature.ts'
import { certifierOf } from './certificate.ts'

const certifier = certifierOf({ bankName: 'Banco Ñandú', taxNumber: '890903938-8' })

test('a certificate names the bank and its tax number, and is signed by its own key', async () => {
  const certificate = new X509Certificate(
    Buffer.from(await certifier.certify(await newSigningKey()), 'base64'),
  )

  expect(certificate.subject).toBe('O=Banco Ñandú\nserialNumber=NIT 890903938-8\nCN=Banco Ñandú')
  expect(certificate.issuer).toBe(certificate.subject)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(false)
})

test('a certificate is valid for ten years', async () => {
  const certificate = await certifier.certify(await newSigningKey())
  const inYears = (years: number) => new Date(new Date().setFullYear(new Date().getFullYear() + years))

  expect([
    certifier.hasExpired(certificate, inYears(9)),
    certifier.hasExpired(certificate, inYears(11)),
  ]).toEqual([false, true])
})
