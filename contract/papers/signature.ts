/**
 * Creates and checks the bank's signature on a statement or receipt. The algorithm is ECDSA on P-256 or RSA (PKCS #1
 * v1.5), both with SHA-256 (RFC 7518, ES256 and RS256). The signed text is the CSV without the line `Firma`. The bank
 * publishes all its public keys as JSON Web Keys (RFC 7517).
 */
import { csvLine } from '@finanzas/contract/format/csv.ts'
import { statementCopy } from './copy.ts'
import { statementCsv } from './csv.ts'
import { certificateCsv, isCertificate } from './certificate.ts'
import { type Paper, isReceipt, receiptCsv } from './receipt.ts'

/** Path of the published keys, on the page's own origin. */
export const statementKeysPath = '/.well-known/finanzas-statement-keys.json'

/** The numbers of a public key in base64url, and its algorithm. */
type KeyNumbers =
  | { kty: 'EC'; crv: 'P-256'; x: string; y: string; alg: 'ES256' }
  | { kty: 'RSA'; n: string; e: string; alg: 'RS256' }

export type StatementKey = KeyNumbers & {
  /**
   * First 32 hexadecimal digits of the key's thumbprint (RFC 7638). For a certificate that the bank brings, those of the
   * SHA-256 of the certificate, because a renewed certificate can have the same key.
   */
  kid: string
  use: 'sig'
  /**
   * The certificate of the key, and those of its issuers (DER in base64, RFC 7517, 4.7). Absent for a key of a hosted
   * project, which signs only CSV files.
   */
  x5c?: readonly string[]
}
export type StatementKeys = { readonly keys: readonly StatementKey[] }

export type SigningKey = { readonly publicKey: StatementKey; readonly privateKey: Key }

/**
 * Result of checking a signature. `unknown_key` means that this bank has no key with the id that the signature names.
 */
export type SignatureVerdict = 'valid' | 'unsigned' | 'unknown_key' | 'false'

type Key = object
type Curve = { readonly kty?: string; readonly x?: string; readonly y?: string }

/**
 * The part of the Web Cryptography API that is used here. Declared here because the page, the server and the edge
 * runtime have different type definitions for this API.
 */
declare const crypto: {
  readonly subtle: {
    generateKey(algorithm: object, isExtractable: true, usages: string[]): Promise<{ privateKey: Key }>
    importKey(
      format: 'pkcs8' | 'jwk',
      key: object,
      algorithm: object,
      isExtractable: boolean,
      usages: string[],
    ): Promise<Key>
    exportKey(format: 'pkcs8', key: Key): Promise<ArrayBuffer>
    exportKey(format: 'jwk', key: Key): Promise<Curve>
    sign(algorithm: object, key: Key, bytes: Uint8Array): Promise<ArrayBuffer>
    verify(algorithm: object, key: Key, signature: Uint8Array, bytes: Uint8Array): Promise<boolean>
    digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer>
  }
}
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
/** How a key of each algorithm is imported, and how it signs. */
export const signatureAlgorithms = {
  ES256: { key: curve, scheme: { name: 'ECDSA', hash: 'SHA-256' } },
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    scheme: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const

/** Signs a document's whole CSV text, and returns the CSV with the signature added. */
export async function signCsv(csv: string, { publicKey, privateKey }: SigningKey): Promise<string> {
  const { scheme } = signatureAlgorithms[publicKey.alg]
  const value = await crypto.subtle.sign(scheme, privateKey, new TextEncoder().encode(csv))
  const line = csvLine([statementCopy.signature, publicKey.kid, hexOf(new Uint8Array(value))], ';')
  // Inserts the signature before the empty line at the end of the heading.
  return csv.replace('\r\n\r\n', () => `\r\n${line}\r\n`)
}

/** Checks whether one of these keys signed exactly this document. */
export async function checkSignature(document: Paper, { keys }: StatementKeys): Promise<SignatureVerdict> {
  const { signature } = document
  if (signature === null) return 'unsigned'
  const named = keys.find(({ kid }) => kid === signature.kid)
  if (named === undefined) return 'unknown_key'
  const { key: algorithm, scheme } = signatureAlgorithms[named.alg]
  const key = await crypto.subtle.importKey('jwk', numbersOf(named), algorithm, false, ['verify'])
  const signed = new TextEncoder().encode(csvOf({ ...document, signature: null }))
  const isValid = await crypto.subtle.verify(scheme, key, bytesOf(signature.value), signed)
  return isValid ? 'valid' : 'false'
}

function csvOf(document: Paper): string {
  if (isCertificate(document)) return certificateCsv(document)
  return isReceipt(document) ? receiptCsv(document) : statementCsv(document)
}

/** Returns the keys in a published key file, or `null` if the value is not a key file. */
export function readStatementKeys(published: unknown): StatementKeys | null {
  if (typeof published !== 'object' || published === null || !('keys' in published)) return null
  const { keys } = published
  return Array.isArray(keys) && keys.every(isStatementKey) ? { keys } : null
}

/** Generates a signing key and returns it in PKCS #8 format. */
export async function newSigningKey(): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
}

/** Imports a P-256 key from PKCS #8 format. Throws for any other bytes. */
export async function openSigningKey(pkcs8: Uint8Array): Promise<SigningKey> {
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, curve, true, ['sign'])
  return { privateKey, publicKey: await statementKeyOf(await crypto.subtle.exportKey('jwk', privateKey)) }
}

/** Returns the public key in the form in which the bank publishes it. */
export async function statementKeyOf({ x = '', y = '' }: Curve): Promise<StatementKey> {
  const thumbprint = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })),
  )
  const kid = hexOf(new Uint8Array(thumbprint)).slice(0, 32)
  return { kty: 'EC', crv: 'P-256', x, y, kid, use: 'sig', alg: 'ES256' }
}

function numbersOf(key: StatementKey): object {
  if (key.kty === 'RSA') return { kty: key.kty, n: key.n, e: key.e }
  return { kty: key.kty, crv: key.crv, x: key.x, y: key.y }
}

function isStatementKey(key: unknown): key is StatementKey {
  const { kty, crv, x, y, n, e, alg, kid, x5c = [] } = Object(key) as Record<string, unknown>
  const isCurve = kty === 'EC' && crv === 'P-256' && alg === 'ES256' && areTexts([x, y])
  const isRsa = kty === 'RSA' && alg === 'RS256' && areTexts([n, e])
  return (isCurve || isRsa) && areTexts([kid]) && Array.isArray(x5c) && areTexts(x5c)
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
