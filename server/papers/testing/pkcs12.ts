/** Writes certificates and keys of tests as PKCS #12 files (RFC 7292), as an authority gives them to a bank. */
import { webcrypto } from 'node:crypto'
import * as pki from 'pkijs'
import { signatureAlgorithms } from '@finanzas/contract/papers/signature.ts'
import { type KeyOfCertificate, makeCertificate } from '#papers/certificate.ts'

/** Returns a new RSA key with this number of bits, or a P-256 key for `null`. */
export async function newKey(bits: number | null): Promise<KeyOfCertificate> {
  const alg = bits === null ? 'ES256' : 'RS256'
  const size = bits === null ? {} : { modulusLength: bits, publicExponent: new Uint8Array([1, 0, 1]) }
  const algorithm = { ...signatureAlgorithms[alg].key, ...size } as
    | webcrypto.EcKeyGenParams
    | webcrypto.RsaHashedKeyGenParams
  const { privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return { alg, pkcs8: new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', privateKey)) }
}

export type Contents = {
  readonly keys: readonly KeyOfCertificate[]
  /** DER in base64. */
  readonly certificates: readonly string[]
  readonly password: string
  /** True for a private key that claims to be encrypted with Triple DES (PBES1). */
  readonly isOldCipher?: boolean
}

const keyBag = '1.2.840.113549.1.12.10.1.2'
const tripleDes = '1.2.840.113549.1.12.1.3'
const certificateBag = '1.2.840.113549.1.12.10.1.3'

/** Returns the file, which is encrypted as OpenSSL does it by default: AES-256, and a digest with SHA-256. */
export async function pkcs12({
  keys,
  certificates,
  password,
  isOldCipher = false,
}: Contents): Promise<Buffer> {
  const secret = new TextEncoder().encode(password).buffer
  const cipher = {
    password: secret,
    // The library itself chooses the initial vector, which its type requires.
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256, iv: new Uint8Array(16) },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: 2048,
  }
  const keyBags = await Promise.all(
    keys.map(async ({ pkcs8 }) => {
      const bagValue = new pki.PKCS8ShroudedKeyBag({ parsedValue: pki.PrivateKeyInfo.fromBER(pkcs8) })
      await bagValue.makeInternalValues(cipher)
      if (isOldCipher) bagValue.encryptionAlgorithm.algorithmId = tripleDes
      return new pki.SafeBag({ bagId: keyBag, bagValue })
    }),
  )
  const certificateBags = certificates.map((text) => {
    const parsedValue = pki.Certificate.fromBER(new Uint8Array(Buffer.from(text, 'base64')))
    return new pki.SafeBag({ bagId: certificateBag, bagValue: new pki.CertBag({ parsedValue }) })
  })
  const safes = [
    { privacyMode: 0, safeBags: keyBags },
    { privacyMode: 1, safeBags: certificateBags },
  ].filter(({ safeBags }) => safeBags.length > 0)
  const authenticatedSafe = new pki.AuthenticatedSafe({
    parsedValue: {
      safeContents: safes.map(({ privacyMode, safeBags }) => ({
        privacyMode,
        value: new pki.SafeContents({ safeBags }),
      })),
    },
  })
  await authenticatedSafe.makeInternalValues({
    safeContents: safes.map(({ privacyMode }) => (privacyMode === 0 ? {} : cipher)),
  })
  const file = new pki.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } })
  await file.makeInternalValues({
    password: secret,
    iterations: 2048,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  })
  return Buffer.from(file.toSchema().toBER())
}

/** Returns the file of a bank with a key of 3,072 bits, whose certificate is valid for a year from now. */
export async function bankCertificate(password: string): Promise<Buffer> {
  const key = await newKey(3072)
  const from = new Date()
  const to = new Date(from.getTime() + 365 * 86_400_000)
  const certificate = await makeCertificate({ bank: { bankName: 'Banco' }, key, from, to })
  return pkcs12({ keys: [key], certificates: [certificate], password })
}
