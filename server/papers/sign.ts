/** Signs a PDF as PAdES, level B-B (ETSI EN 319 142-1): a detached CMS signature (RFC 5652) over the whole file. */
import { ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import { createHash } from 'node:crypto'
import { signatureBytesMax } from '@finanzas/contract/papers/pdf-signature.ts'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import { unknownNumber } from './finish.ts'

const id = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
}

/** Signs a PDF that `writePdf` wrote. Changes the given bytes. Throws if the key has no certificate. */
export async function signPdf(
  pdf: Uint8Array<ArrayBuffer>,
  key: SigningKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = Buffer.from(pdf.buffer)
  const start = file.indexOf(`/ByteRange [0 /${unknownNumber}`)
  const end = file.indexOf(']', start) + 1
  const open = file.indexOf('/Contents <', end) + '/Contents '.length
  const close = open + 2 * signatureBytesMax + 2
  const range = `/ByteRange [0 ${open} ${close} ${file.length - close}]`
  file.write(range.padEnd(end - start), start, 'latin1')
  const hash = createHash('sha256').update(file.subarray(0, open)).update(file.subarray(close))
  const signature = await cmsOf(hash.digest(), key)
  if (signature.length > signatureBytesMax)
    throw new RangeError('The certificates are too long for the file.')
  file.write(signature.toString('hex'), open + 1, 'latin1')
  return pdf
}

async function cmsOf(digest: Buffer, { publicKey, privateKey }: SigningKey): Promise<Buffer> {
  const chain = (publicKey.x5c ?? []).map((text) => new Uint8Array(Buffer.from(text, 'base64')))
  const certificates = chain.map((bytes) => Certificate.fromBER(bytes))
  const [[certificate], [own]] = [certificates, chain]
  if (certificate === undefined || own === undefined) throw new TypeError('The key has no certificate.')
  const { issuer, serialNumber } = certificate
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id.data }),
    certificates,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute(id.contentType, new ObjectIdentifier({ value: id.data })),
            attribute(id.messageDigest, octets(digest)),
            attribute(id.signingCertificateV2, namedCertificate(own)),
          ],
        }),
      }),
    ],
  })
  await signed.sign(privateKey as Parameters<SignedData['sign']>[0], 0, 'SHA-256')
  const content = new ContentInfo({ contentType: id.signedData, content: signed.toSchema(true) })
  return Buffer.from(content.toSchema().toBER())
}

function attribute(type: string, value: object): Attribute {
  return new Attribute({ type, values: [value] })
}

/** Names the signer's certificate (ESSCertIDv2, RFC 5035), so that no other certificate can take its place. */
function namedCertificate(certificate: Uint8Array): Sequence {
  const hash = octets(createHash('sha256').update(certificate).digest())
  return sequence(sequence(sequence(hash)))
}

function sequence(value: OctetString | Sequence): Sequence {
  return new Sequence({ value: [value] })
}

function octets(bytes: Buffer): OctetString {
  return new OctetString({ valueHex: new Uint8Array(bytes).buffer })
}
