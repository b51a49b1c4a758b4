/**
 * Creates and checks the bank's signature on a statement or receipt. The algorithm is ECDSA on P-256 with SHA-256 (RFC
 * 7518, ES256), and the signed text is the CSV without the line `Firma`. The bank publishes all its public keys as JSON
 * Web Keys (RFC 7517).
 */
import { csvLine } from '@finanzas/contract/format/csv.ts'
import { statementCopy } from './copy.ts'
import { statementCsv } from './csv.ts'
import { type Receipt, isReceipt, receiptCsv } from './receipt.ts'
import type { Statement } from './statement.ts'

/** Path of the published keys, on the page's own origin. */
export const statementKeysPath = '/.well-known/finanzas-statement-keys.json'

export type StatementKey = {
  kty: 'EC'
  crv: 'P-256'
  /** Coordinates in base64url. */
  x: string
  y: string
  /** First 32 hexadecimal digits of the key's thumbprint (RFC 7638). */
  kid: string
  use: 'sig'
  alg: 'ES256'
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
const scheme = { name: 'ECDSA', hash: 'SHA-256' }

/** Signs a document's whole CSV text, and returns the CSV with the signature added. */
export async function signCsv(csv: string, { publicKey, privateKey }: SigningKey): Promise<string> {
  const value = await crypto.subtle.sign(scheme, privateKey, new TextEncoder().encode(csv))
  const line = csvLine([statementCopy.signature, publicKey.kid, hexOf(new Uint8Array(value))], ';')
  // Inserts the signature before the empty line at the end of the heading.
  return csv.replace('\r\n\r\n', () => `\r\n${line}\r\n`)
}

/** Checks whether one of these keys signed exactly this document. */
export async function checkSignature(
  document: Statement | Receipt,
  { keys }: StatementKeys,
): Promise<SignatureVerdict> {
  const { signature } = document
  if (signature === null) return 'unsigned'
  const named = keys.find(({ kid }) => kid === signature.kid)
  if (named === undefined) return 'unknown_key'
  const { kty, crv, x, y } = named
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify'])
  const signed = new TextEncoder().encode(csvOf({ ...document, signature: null }))
  const isValid = await crypto.subtle.verify(scheme, key, bytesOf(signature.value), signed)
  return isValid ? 'valid' : 'false'
}

function csvOf(document: Statement | Receipt): string {
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

function isStatementKey(key: unknown): key is StatementKey {
  const { kty, crv, x, y, kid, x5c = [] } = Object(key) as Record<string, unknown>
  const isKey = kty === 'EC' && crv === 'P-256' && [x, y, kid].every((text) => typeof text === 'string')
  return isKey && Array.isArray(x5c) && x5c.every((text) => typeof text === 'string')
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
