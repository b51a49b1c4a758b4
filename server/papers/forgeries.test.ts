// Forged PDF papers. A file is authentic only if this bank signed every byte of it.
import { Certificate, ContentInfo, SignedData } from 'pkijs'
import { OctetString } from 'asn1js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { signerOf } from '@finanzas/contract/papers/pdf-signature.ts'
import { type SigningKey, openSigningKey, newSigningKey } from '@finanzas/contract/papers/signature.ts'
import { certifierOf } from './certificate.ts'
import { signPdf } from './sign.ts'
import {
  bank,
  certifiedKey,
  exampleCertificate,
  exampleReceipt,
  exampleStatement,
  signedPdf,
  statementRow,
} from '#papers/testing/papers.ts'

/** A file as text with one character for each byte. */
type File = string

let ours: SigningKey
/** A key of another person, whose certificate has the bank's name. */
let theirs: SigningKey
let [genuine, other]: [File, File] = ['', '']

beforeAll(async () => {
  ;[ours, theirs] = [await certifiedKey(), await certifiedKey()]
  genuine = textOf(await signedPdf(exampleStatement([statementRow(1), statementRow(2)]), ours))
  other = textOf(await signedPdf(exampleReceipt(), ours))
})

const verify = (file: File) =>
  verifyFile(Buffer.from(file, 'latin1'), () => Promise.resolve({ keys: [ours.publicKey] }))
const verdictOf = async (file: File) => (await verify(file))?.signature ?? 'unreadable'

test('a paper as the bank issued it is authentic, and its attachment is read', async () => {
  expect(await verify(genuine)).toMatchObject({ signature: 'valid', document: { bankName: 'Banco Ñandú' } })
  expect(await verify(other)).toMatchObject({ signature: 'valid', document: { amountMinor: 3800 } })
})

test('a certificate of the balance is refused with another figure or file and with another end or signer', async () => {
  const certificate = textOf(await signedPdf(exampleCertificate(), ours))
  const richer = textOf(await signedPdf(exampleCertificate({ bookedMinor: 9_638_279 as MinorUnits }), ours))
  const foreign = textOf(await signedPdf(exampleCertificate(), theirs))

  expect(await verify(certificate)).toMatchObject({
    signature: 'valid',
    document: { bookedMinor: 1_638_279 },
  })
  expect(await verdictOf(swapped(certificate, richer, '/Type /EmbeddedFile'))).toBe('false')
  expect(await verdictOf(withSignature(richer, signatureOf(certificate)))).toBe('false')
  expect(await verdictOf(flipped(certificate, certificate.length - 300))).toBe('false')
  expect(await verdictOf(`${certificate} `)).toBe('unreadable')
  expect(await verdictOf(foreign)).toBe('unknown_key')
})

test('a paper stays authentic after the bank has a new key', async () => {
  const next = await certifiedKey()
  const keys = { keys: [next.publicKey, ours.publicKey] }

  expect(await verifyFile(Buffer.from(genuine, 'latin1'), () => Promise.resolve(keys))).toMatchObject({
    signature: 'valid',
  })
})

describe('a later revision of a paper is refused', () => {
  test.for<[string, (file: File) => File]>([
    ['with one space after the end', (file) => `${file} `],
    ['with another end of the file', (file) => `${file}\n%%EOF\n`],
    [
      'that draws another page',
      (file) => revised(file, `${pageOf(file)} 0 obj\n<<\n/Length 0\n>>\nendobj\n`),
    ],
    [
      'that replaces the catalogue',
      (file) => revised(file, `${rootOf(file)} 0 obj\n<<\n/Type /Catalog\n>>\nendobj\n`),
    ],
    [
      'that replaces the attachment',
      (file) =>
        revised(
          file,
          `${attachmentOf(file)} 0 obj\n<<\n/Type /EmbeddedFile\n/Length 3\n>>\nstream\na;b\nendstream\nendobj\n`,
        ),
    ],
    [
      'that adds a note',
      (file) =>
        revised(
          file,
          `9001 0 obj\n<<\n/Type /Annot\n/Subtype /FreeText\n/Rect [0 0 99 99]\n/Contents (Pagado)\n>>\nendobj\n`,
        ),
    ],
    [
      'that adds a second signature',
      (file) =>
        revised(file, `9002 0 obj\n<<\n/Type /Sig\n/ByteRange [0 10 20 30]\n/Contents <00>\n>>\nendobj\n`),
    ],
    ['that changes the title', (file) => revised(file, `9003 0 obj\n<<\n/Title (Certificado)\n>>\nendobj\n`)],
    ['that is hidden before the file', (file) => `%PDF-1.7\n9004 0 obj\nnull\nendobj\n${file}`],
    [
      'whose signature is stretched over the new bytes',
      (file) => stretched(`${file}\n9005 0 obj\nnull\nendobj\n`),
    ],
  ])('%s', async ([, forge]) => {
    expect(['unreadable', 'false']).toContain(await verdictOf(forge(genuine)))
  })
})

describe('a signature of another person in the bank’s name is refused', () => {
  test('with the other person’s certificate', async () => {
    expect(await verdictOf(await signedAgain(theirs))).toBe('unknown_key')
  })

  test('with the other person’s certificate before the bank’s', async () => {
    const both = {
      ...theirs,
      publicKey: { ...theirs.publicKey, x5c: [...chainOf(theirs), ...chainOf(ours)] },
    }

    expect(await verdictOf(await signedAgain(both))).toBe('unknown_key')
  })

  test('with the bank’s certificate, whose key did not sign', async () => {
    const mixed = { ...theirs, publicKey: { ...theirs.publicKey, x5c: chainOf(ours) } }

    expect(await verdictOf(await signedAgain(mixed))).toBe('false')
  })

  test('with the bank’s certificate before the other person’s', async () => {
    const mixed = {
      ...theirs,
      publicKey: { ...theirs.publicKey, x5c: [...chainOf(ours), ...chainOf(theirs)] },
    }

    expect(await verdictOf(await signedAgain(mixed))).toBe('false')
  })

  test('with a certificate that has the number of the bank’s certificate', async () => {
    const pkcs8 = await newSigningKey()
    const key = await openSigningKey(pkcs8)
    const twin = Certificate.fromBER(new Uint8Array(Buffer.from(chainOf(ours)[0] ?? '', 'base64')))
    const made = Certificate.fromBER(
      new Uint8Array(Buffer.from(await certifierOf(bank).certify(pkcs8), 'base64')),
    )
    made.serialNumber = twin.serialNumber
    await made.sign(key.privateKey as Parameters<Certificate['sign']>[0], 'SHA-256')
    const x5c = [Buffer.from(made.toSchema(true).toBER()).toString('base64')]

    expect(await verdictOf(await signedAgain({ ...key, publicKey: { ...key.publicKey, x5c } }))).toBe(
      'unknown_key',
    )
  })
})

describe('a changed paper is refused', () => {
  test.for<[string, (file: File) => File]>([
    [
      'with a changed byte of the attachment',
      (file) => flipped(file, streamOf(file, '/Type /EmbeddedFile') + 9),
    ],
    [
      'with another name of the attachment',
      (file) => file.replace('extracto-2026-11.csv', 'extracto-2026-10.csv'),
    ],
    ['with the attachment of another paper', (file) => swapped(file, other, '/Type /EmbeddedFile')],
    ['with a shorter attachment', (file) => file.replace(/\/Size (\d)/, '/Size 9')],
    ['whose attachment is only data', (file) => file.replace('/Type /EmbeddedFile', '/Type /EmbeddedFila')],
    ['with another font', (file) => flipped(file, streamOf(file, '/Length1') + 40)],
    ['with the font of another paper', (file) => swapped(file, other, '/FontFile2')],
    ['with other characters for the glyphs', (file) => file.replace('/ToUnicode', '/ToUnicodf')],
    ['with another text on a page', (file) => flipped(file, streamOf(file, '/Filter /FlateDecode') + 20)],
    ['with another author', (file) => file.replace('/Author', '/Authos')],
    ['with another time of signing', (file) => file.replace(/\/M \(D:\d{4}/, '/M (D:2019')],
    ['with the signature of another paper', (file) => withSignature(file, signatureOf(other))],
    ['without a signature', (file) => withSignature(file, '')],
    [
      'whose signature covers only its beginning',
      (file) => file.replace(/\/ByteRange \[0 (\d+) (\d+) (\d)/, '/ByteRange [0 $1 $2 0'),
    ],
    [
      'whose signature does not cover its beginning',
      (file) => file.replace('/ByteRange [0', '/ByteRange [9'),
    ],
    ['with two ranges', (file) => `${file}/ByteRange [0 1 2 3]`],
    [
      'with words between the digits of the signature',
      (file) => withSignature(file, `${signatureOf(file).slice(0, 40)}>>endobj`),
    ],
    ['with digits after the signature', (file) => file.replace(/00>/, '01>')],
    ['with capital digits', (file) => withSignature(file, signatureOf(file).toUpperCase())],
    ['that ends early', (file) => file.slice(0, -200)],
    ['that contains only a beginning', () => '%PDF-1.7'],
  ])('%s', async ([, forge]) => {
    const forged = forge(genuine)

    expect(forged).not.toBe(genuine)
    expect(['unreadable', 'false']).toContain(await verdictOf(forged))
  })

  // A verification that reads the content in the signature does not look at the file.
  test('with the content of another paper inside its signature', async () => {
    const [, open = 0, close = 0] = rangeOf(other)
    const content = Buffer.from(other.slice(0, open) + other.slice(close), 'latin1')
    const signed = cmsOf(other)
    signed.encapContentInfo.eContent = new OctetString({ valueHex: new Uint8Array(content).buffer })
    const cms = new Uint8Array(Buffer.from(hexOf(signed), 'hex'))
    const covered = new Uint8Array(Buffer.from('Otro archivo'))

    expect(await signerOf({ cms, covered })).toBeNull()
    expect(
      await signerOf({ cms: new Uint8Array(Buffer.from(hexOf(cmsOf(other)), 'hex')), covered }),
    ).toBeNull()
  })

  test('at any place outside the signature', async () => {
    const [, open = 0, close = 0] = rangeOf(genuine)
    const verdicts = new Set<string>()
    for (let at = 0; at < genuine.length; at += Math.ceil(genuine.length / 150))
      if (at < open || at >= close) verdicts.add(await verdictOf(flipped(genuine, at)))

    expect(verdicts).not.toContain('valid')
  })
})

test('a file with many beginnings of a signature is refused at once', async () => {
  expect(await verdictOf(`%PDF-1.7\n${'/ByteRange [0 1 2 3] '.repeat(50_000)}`)).toBe('unreadable')
})

test('a signed file with a second range is refused, because readers could choose different ranges', async () => {
  const file = unsigned(`${genuine}%/ByteRange [0 1 2 3]\n`)

  expect(await verdictOf(textOf(await signPdf(file, ours)))).toBe('unreadable')
})

test('a signed PDF of the bank without an attached paper is not a paper', async () => {
  const hidden = genuine.replace('/Type /EmbeddedFile', '/Type /EmbeddedFila')
  const resigned = await signPdf(unsigned(hidden), ours)

  expect(await verifyFile(resigned, () => Promise.resolve({ keys: [ours.publicKey] }))).toBeNull()
})

const textOf = (bytes: Uint8Array): File => Buffer.from(bytes).toString('latin1')
const chainOf = ({ publicKey }: SigningKey) => publicKey.x5c ?? []
const pageOf = (file: File) => /(\d+) 0 obj\n<<\n\/Type \/Page\n/.exec(file)?.[1] ?? '1'
const rootOf = (file: File) => /\/Root (\d+) 0 R/.exec(file)?.[1] ?? '1'
const attachmentOf = (file: File) => /(\d+) 0 obj\n<<\n\/Type \/EmbeddedFile/.exec(file)?.[1] ?? '1'

/** Returns a file with a later revision: an object, a cross-reference section and a trailer. */
function revised(file: File, object: string): File {
  const previous = /startxref\n(\d+)\n%%EOF\s*$/.exec(file)?.[1] ?? '0'
  const number = Number.parseInt(object, 10)
  const offset = file.length + 1
  const xref = offset + object.length
  return `${file}\n${object}xref\n${number} 1\n${String(offset).padStart(10, '0')} 00000 n \ntrailer\n<<\n/Size 9999\n/Root ${rootOf(file)} 0 R\n/Prev ${previous}\n>>\nstartxref\n${xref}\n%%EOF\n`
}

function rangeOf(file: File): number[] {
  return /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(file)?.slice(1).map(Number) ?? []
}

/** Writes a range that reaches to the end of the file. */
function stretched(file: File): File {
  const [, open = 0, close = 0] = rangeOf(file)
  return file.replace(/\/ByteRange \[0 \d+ \d+ \d+\] {0,9}/, (range) =>
    `/ByteRange [0 ${open} ${close} ${file.length - close}]`.padEnd(range.length),
  )
}

function signatureOf(file: File): string {
  const [, open = 0, close = 0] = rangeOf(file)
  return file.slice(open + 1, close - 1)
}

function withSignature(file: File, digits: string): File {
  const [, open = 0, close = 0] = rangeOf(file)
  return `${file.slice(0, open + 1)}${digits.padEnd(close - open - 2, '0').slice(0, close - open - 2)}${file.slice(close - 1)}`
}

function cmsOf(file: File): SignedData {
  return new SignedData({ schema: ContentInfo.fromBER(Buffer.from(signatureOf(file), 'hex')).content })
}

function hexOf(signed: SignedData): string {
  const content = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) })
  return Buffer.from(content.toSchema().toBER()).toString('hex')
}

/** Returns the file with an empty signature, as `writePdf` returns it. */
function unsigned(file: File): Uint8Array<ArrayBuffer> {
  const empty = withSignature(file, '').replace(/\/ByteRange \[0 \d+ \d+ \d+\] */, (range) =>
    '/ByteRange [0 /********** /********** /**********]'.padEnd(range.length),
  )
  return new Uint8Array(Buffer.from(empty, 'latin1'))
}

async function signedAgain(key: SigningKey): Promise<File> {
  return textOf(await signPdf(unsigned(genuine), key))
}

function flipped(file: File, at: number): File {
  return file.slice(0, at) + String.fromCharCode(file.charCodeAt(at) ^ 1) + file.slice(at + 1)
}

/** Returns the place where the first stream after this text begins. */
function streamOf(file: File, text: string): number {
  return file.indexOf('stream\n', file.indexOf(text)) + 'stream\n'.length
}

/** Replaces the beginning of a stream by the stream of another file. */
function swapped(file: File, from: File, text: string): File {
  const [at, source] = [streamOf(file, text), streamOf(from, text)]
  return file.slice(0, at) + from.slice(source, source + 60) + file.slice(at + 60)
}
