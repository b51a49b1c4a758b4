/**
 * Reads the certificate of an authority with which the bank signs papers, and its private key (PKCS #12, RFC 7292). The
 * server refuses to start with a certificate that it cannot use.
 */
import {
  type KeyObject,
  X509Certificate,
  createHash,
  createPrivateKey,
  createPublicKey,
  webcrypto,
} from 'node:crypto'
import * as pki from 'pkijs'
import { signatureBytesMax } from '@finanzas/contract/papers/pdf-signature.ts'
import {
  type SigningKey,
  type StatementKey,
  signatureAlgorithms,
} from '@finanzas/contract/papers/signature.ts'
import { DataDirectoryError, readPrivateFile } from '#data-directory/data-directory.ts'
import { CertificateRefused } from './certificate-refused.ts'

export type CertificateFile = { readonly path: string; readonly password: string }

/** Reads the key, whose certificate must be valid at this time. Throws `CertificateRefused`. */
export async function readOwnCertificate(
  { path, password }: CertificateFile,
  now = new Date(),
): Promise<SigningKey> {
  const { keys, certificates } = await contentOf(bytesOf(path), password)
  const [key, ...others] = keys.map((pkcs8) =>
    createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }),
  )
  const known = certificates.map((der) => new X509Certificate(der))
  const own = key === undefined ? undefined : latestOf(known, key, now)
  if (key === undefined || others.length > 0 || own === undefined)
    throw new CertificateRefused(
      'PAPER_CERTIFICATE debe contener una sola clave privada, y el certificado de esa clave.',
    )
  refuseUnusable(own, now)
  const alg = algorithmOf(key)
  const chain = chainOf(own, known).map(({ raw }) => raw)
  if (chain.reduce((sum, { length }) => sum + length, signatureBytesOfRest) > signatureBytesMax)
    throw new CertificateRefused(
      'Los certificados de PAPER_CERTIFICATE son demasiado largos: deja solo el del banco y los de sus emisores.',
    )
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' })
  return {
    privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, signatureAlgorithms[alg].key, false, [
      'sign',
    ]),
    publicKey: {
      ...numbersOf(key, alg),
      kid: createHash('sha256').update(own.raw).digest('hex').slice(0, 32),
      use: 'sig',
      x5c: chain.map((der) => der.toString('base64')),
    },
  }
}

/** Returns the key's certificate that is valid for the longest time, or another of the key's if none is valid. */
function latestOf(known: readonly X509Certificate[], key: KeyObject, now: Date): X509Certificate | undefined {
  const own = known
    .filter((each) => each.checkPrivateKey(key))
    .sort((one, other) => other.validToDate.getTime() - one.validToDate.getTime())
  return own.find(({ validFromDate }) => validFromDate <= now) ?? own[0]
}

/** Upper bound for the bytes of a signature without its certificates. */
const signatureBytesOfRest = 1536

function bytesOf(path: string): Buffer {
  try {
    return readPrivateFile(path)
  } catch (error) {
    if (error instanceof DataDirectoryError) throw new CertificateRefused(error.message, { cause: error })
    throw new CertificateRefused(`El archivo de PAPER_CERTIFICATE no se puede leer: ${path}`, {
      cause: error,
    })
  }
}

/** The digests of passwords that the library knows: SHA-1, SHA-256, SHA-384 and SHA-512. */
const knownDigests: readonly string[] = [
  '1.3.14.3.2.26',
  '2.16.840.1.101.3.4.2.1',
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
]

/** Returns the private keys (PKCS #8) and the certificates (DER) in a PKCS #12 file. */
async function contentOf(
  bytes: Buffer,
  password: string,
): Promise<{ keys: Uint8Array[]; certificates: Uint8Array[] }> {
  const file = await orRefused('PAPER_CERTIFICATE no es un archivo PKCS #12 (.p12 o .pfx).', () =>
    pki.PFX.fromBER(new Uint8Array(bytes)),
  )
  if (!knownDigests.includes(file.macData?.mac.digestAlgorithm.algorithmId ?? ''))
    throw new CertificateRefused(unknownCipher)
  const secret = new TextEncoder().encode(password).buffer
  await orRefused('PAPER_CERTIFICATE_PASSWORD no es la contraseña de PAPER_CERTIFICATE.', () =>
    file.parseInternalValues({ password: secret, checkIntegrity: true }),
  )
  // The password is known to be right.
  return orRefused(unknownCipher, async () => {
    const safe = file.parsedValue?.authenticatedSafe
    if (safe === undefined) return { keys: [], certificates: [] }
    await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password: secret })) })
    const { safeContents } = safe.parsedValue as {
      safeContents: { value: pki.SafeContents }[]
    }
    const bags = safeContents.flatMap(({ value }) => value.safeBags.map(({ bagValue }) => bagValue))
    const keys = bags.map(async (bag) => {
      if (bag instanceof pki.PrivateKeyInfo) return new Uint8Array(bag.toSchema().toBER())
      if (!(bag instanceof pki.PKCS8ShroudedKeyBag)) return null
      const encrypted = new pki.EncryptedData({
        encryptedContentInfo: new pki.EncryptedContentInfo({
          contentEncryptionAlgorithm: bag.encryptionAlgorithm,
          encryptedContent: bag.encryptedData,
        }),
      })
      return new Uint8Array(await encrypted.decrypt({ password: secret }))
    })
    const certificates = bags.flatMap((bag) =>
      bag instanceof pki.CertBag && bag.parsedValue instanceof pki.Certificate
        ? [new Uint8Array(bag.parsedValue.toSchema().toBER())]
        : [],
    )
    return { keys: (await Promise.all(keys)).filter((key) => key !== null), certificates }
  })
}

const unknownCipher =
  'PAPER_CERTIFICATE está cifrado con un método antiguo. Guárdalo otra vez con AES-256 (docs/es/claves.md).'

async function orRefused<Value>(sentence: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw new CertificateRefused(sentence, { cause: error })
  }
}

function refuseUnusable(certificate: X509Certificate, now: Date): void {
  const [from, to] = [certificate.validFromDate, certificate.validToDate]
  if (to < now) throw new CertificateRefused(`El certificado de PAPER_CERTIFICATE venció el ${dayOf(to)}.`)
  if (from > now)
    throw new CertificateRefused(`El certificado de PAPER_CERTIFICATE vale desde el ${dayOf(from)}.`)
  const { extensions = [] } = pki.Certificate.fromBER(new Uint8Array(certificate.raw))
  const usage = extensions.find(({ extnID }) => extnID === keyUsage)?.parsedValue as
    | { valueBlock: { valueHexView: Uint8Array } }
    | undefined
  const [bits = 0] = usage?.valueBlock.valueHexView ?? [usesOfSignature]
  if ((bits & usesOfSignature) === 0)
    throw new CertificateRefused('El certificado de PAPER_CERTIFICATE no es para firmar documentos.')
}

/** Returns the time at which the certificate of the bank expires. */
export function expiryOf({ publicKey: { x5c = [] } }: SigningKey): Date {
  return new X509Certificate(Buffer.from(x5c[0] ?? '', 'base64')).validToDate
}

/** Returns the day on which the key's certificate expires, if this day is within the given number of days. */
export function expiresOn(key: SigningKey, days: number, now = new Date()): string | null {
  const expiresAt = expiryOf(key)
  return expiresAt.getTime() - now.getTime() < days * 86_400_000 ? dayOf(expiresAt) : null
}

const keyUsage = '2.5.29.15'
/** The bits `digitalSignature` and `nonRepudiation`. */
const usesOfSignature = 0b1100_0000

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function algorithmOf(key: KeyObject): StatementKey['alg'] {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ES256'
  if (key.asymmetricKeyType === 'rsa' && (modulusLength === 3072 || modulusLength === 4096)) return 'RS256'
  throw new CertificateRefused('La clave de PAPER_CERTIFICATE debe ser RSA de 3072 o 4096 bits, o P-256.')
}

function numbersOf(key: KeyObject, alg: StatementKey['alg']) {
  const { x = '', y = '', n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' })
  return alg === 'ES256'
    ? ({ kty: 'EC', crv: 'P-256', x, y, alg } as const)
    : ({ kty: 'RSA', n, e, alg } as const)
}

/** Returns the certificate and its issuers, each of which signed the one before it. */
function chainOf(own: X509Certificate, known: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own]
  for (let last: X509Certificate | undefined = own; last !== undefined;) {
    const signed: X509Certificate = last
    last = known.find(
      (each) => !chain.includes(each) && signed.issuer === each.subject && signed.verify(each.publicKey),
    )
    if (last !== undefined) chain.push(last)
  }
  return chain
}
