/** The certificate of the key that signs papers (X.509, RFC 5280), which the bank issues to itself. */
import { X509Certificate, createPrivateKey, createPublicKey, randomBytes, webcrypto } from 'node:crypto'
import type { Certificate } from 'pkijs'
import { signatureAlgorithms } from '@finanzas/contract/papers/signature.ts'

export type CertifiedBank = { readonly bankName: string; readonly taxNumber?: string | undefined }

/** The contents of a new certificate. A certificate without an issuer is signed by its own key. */
export type NewCertificate = {
  readonly bank: CertifiedBank
  readonly key: KeyOfCertificate
  readonly issuer?: { readonly bank: CertifiedBank; readonly key: KeyOfCertificate }
  readonly from: Date
  readonly to: Date
}
export type KeyOfCertificate = {
  readonly alg: keyof typeof signatureAlgorithms
  readonly pkcs8: Uint8Array<ArrayBuffer>
}

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
async function certify(pkcs8: Uint8Array<ArrayBuffer>, bank: CertifiedBank): Promise<string> {
  const from = new Date()
  const to = new Date(new Date(from).setUTCFullYear(from.getUTCFullYear() + validYears))
  return makeCertificate({ bank, key: { alg: 'ES256', pkcs8 }, from, to })
}

/** Returns a new certificate: DER in base64. */
export async function makeCertificate(asked: NewCertificate): Promise<string> {
  const { bank, key, issuer = { bank, key }, from, to } = asked
  // Loaded only for a new key, because a server seldom needs them.
  const [asn1, pki] = await Promise.all([import('asn1js'), import('pkijs')])
  const nameOf = (named: CertifiedBank) => {
    const parts = partsOf(named).map(([type, value]) => {
      const part = new pki.AttributeTypeAndValue({ type, value: new asn1.Utf8String({ value }) })
      return new asn1.Set({ value: [part.toSchema()] })
    })
    return pki.RelativeDistinguishedNames.fromBER(new asn1.Sequence({ value: parts }).toBER())
  }
  const certificate = new pki.Certificate()
  certificate.version = 2
  // A positive number of 127 bits, as RFC 5280, 4.1.2.2 requires.
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  certificate.serialNumber = new asn1.Integer({ valueHex: new Uint8Array(serial).buffer })
  Object.assign(certificate, { issuer: nameOf(issuer.bank), subject: nameOf(bank) })
  certificate.notBefore.value = from
  certificate.notAfter.value = to
  // digitalSignature and nonRepudiation
  const usage = new asn1.BitString({ valueHex: new Uint8Array([0b1100_0000]).buffer, unusedBits: 6 })
  certificate.extensions = [new pki.Extension({ extnID: keyUsage, critical: true, extnValue: usage.toBER() })]
  await certificate.subjectPublicKeyInfo.importKey((await publicKeyOf(key)) as LibraryKey)
  await certificate.sign((await privateKeyOf(issuer.key)) as LibraryKey, 'SHA-256')
  return Buffer.from(certificate.toSchema(true).toBER()).toString('base64')
}

function privateKeyOf({ alg, pkcs8 }: KeyOfCertificate) {
  return webcrypto.subtle.importKey('pkcs8', pkcs8, signatureAlgorithms[alg].key, true, ['sign'])
}

async function publicKeyOf(key: KeyOfCertificate) {
  const privateKey = createPrivateKey({ key: Buffer.from(key.pkcs8), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return webcrypto.subtle.importKey('spki', spki, signatureAlgorithms[key.alg].key, true, ['verify'])
}

/** Returns whether a certificate (DER in base64) is no longer valid. */
export function hasExpired(certificate: string, now = new Date()): boolean {
  return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate < now
}

function partsOf({ bankName, taxNumber }: CertifiedBank): (readonly [type: string, value: string])[] {
  return [
    [names.organization, bankName],
    ...(taxNumber === undefined ? [] : [[names.serialNumber, `NIT ${taxNumber}`] as const]),
    [names.commonName, bankName],
  ]
}
