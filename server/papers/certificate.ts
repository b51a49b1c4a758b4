/** The certificate of the key that signs papers (X.509, RFC 5280), which the bank issues to itself. */
import { X509Certificate, randomBytes, webcrypto } from 'node:crypto'
import type { Certificate } from 'pkijs'

export type CertifiedBank = { readonly bankName: string; readonly taxNumber?: string | undefined }

/** The library has its own type for the keys of the Web Cryptography API. */
type LibraryKey = Parameters<Certificate['sign']>[0]

const names = { commonName: '2.5.4.3', serialNumber: '2.5.4.5', country: '2.5.4.6', organization: '2.5.4.10' }
const keyUsage = '2.5.29.15'
const validYears = 10

/** Returns the certifier with which this bank makes the certificates of its keys. */
export function certifierOf(bank: CertifiedBank) {
  return { certify: (pkcs8: Uint8Array<ArrayBuffer>) => certify(pkcs8, bank), hasExpired }
}

/** Returns a new certificate (DER in base64) for a P-256 key (PKCS #8), valid for ten years. */
async function certify(
  pkcs8: Uint8Array<ArrayBuffer>,
  bank: CertifiedBank,
  now = new Date(),
): Promise<string> {
  // Loaded only for a new key, because a server seldom needs them.
  const [{ BitString, Integer, Sequence, Set, Utf8String }, pki] = await Promise.all([
    import('asn1js'),
    import('pkijs'),
  ])
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const { subtle } = webcrypto
  const privateKey = await subtle.importKey('pkcs8', pkcs8, curve, true, ['sign'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', privateKey)
  const publicKey = await subtle.importKey('jwk', { kty, crv, x, y } as webcrypto.JsonWebKey, curve, true, [
    'verify',
  ])
  const certificate = new pki.Certificate()
  certificate.version = 2
  // A positive number of 127 bits, as RFC 5280, 4.1.2.2 requires.
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array(serial).buffer })
  const parts = partsOf(bank).map(([type, value]) => {
    const part = new pki.AttributeTypeAndValue({ type, value: new Utf8String({ value }) })
    return new Set({ value: [part.toSchema()] })
  })
  const name = pki.RelativeDistinguishedNames.fromBER(new Sequence({ value: parts }).toBER())
  Object.assign(certificate, { issuer: name, subject: name })
  certificate.notBefore.value = now
  certificate.notAfter.value = new Date(new Date(now).setUTCFullYear(now.getUTCFullYear() + validYears))
  // digitalSignature and nonRepudiation
  const usage = new BitString({ valueHex: new Uint8Array([0b1100_0000]).buffer, unusedBits: 6 })
  certificate.extensions = [new pki.Extension({ extnID: keyUsage, critical: true, extnValue: usage.toBER() })]
  await certificate.subjectPublicKeyInfo.importKey(publicKey as LibraryKey)
  await certificate.sign(privateKey as LibraryKey, 'SHA-256')
  return Buffer.from(certificate.toSchema(true).toBER()).toString('base64')
}

/** Returns whether a certificate (DER in base64) is no longer valid. */
function hasExpired(certificate: string, now = new Date()): boolean {
  return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate < now
}

function partsOf({ bankName, taxNumber }: CertifiedBank): (readonly [type: string, value: string])[] {
  return [
    [names.organization, bankName],
    ...(taxNumber === undefined ? [] : [[names.serialNumber, `NIT ${taxNumber}`] as const]),
    [names.commonName, bankName],
  ]
}
