/** An account at another bank, as `public.beneficiaries.destination` stores it, and the checks of its form. */
import type { DocumentKind } from '@finanzas/contract/database-types.ts'
import { isIdentityDocument } from '@finanzas/contract/format/identity-document.ts'
import type { Json } from '@finanzas/contract/database-types.ts'
import { banks } from './banks.ts'

export const accountKinds = {
  savings: 'Ahorros',
  checking: 'Corriente',
  deposit: 'Depósito electrónico',
} as const
export const documentKinds = {
  CC: 'Cédula de ciudadanía',
  NIT: 'NIT',
  CE: 'Cédula de extranjería',
  TI: 'Tarjeta de identidad',
  PPT: 'Permiso de protección temporal',
  PA: 'Pasaporte',
} as const satisfies Partial<Record<DocumentKind, string>>

export type Account = {
  /** Code of the bank in the clearing. */
  bank: string
  kind: string
  number: string
  document_kind: string
  document: string
}

/** Removes the spaces, points and hyphens that people write into numbers. The database removes the same characters. */
export function compactNumber(typed: string): string {
  return typed.replaceAll(/[ .-]/g, '')
}

/** Returns whether a number without separators has the form of an account number of this kind. */
export function isAccountNumber(kind: string, number: string): boolean {
  return (kind === 'deposit' ? /^\d{10,17}$/ : /^\d{6,17}$/).test(number)
}

/** Returns whether a compact, upper-case identification has the form of its kind. A NIT ends with its check digit. */
export function isDocument(kind: string, document: string): boolean {
  return (
    Object.hasOwn(documentKinds, kind) &&
    isIdentityDocument(kind, kind === 'NIT' ? document.replace(/^(\d{9})(\d)$/, '$1-$2') : document)
  )
}

/**
 * Reads a stored account. Returns `null` if the stored value is not a complete account, for example after the payer's
 * account was deleted.
 */
export function readAccount(stored: Json | null): Account | null {
  if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return null
  const { bank, kind, number, document_kind, document } = stored
  const parts = [bank, kind, number, document_kind, document]
  if (!parts.every((part) => typeof part === 'string')) return null
  return { bank, kind, number, document_kind, document } as Account
}

/** Returns the whole account in words, such as `Bancolombia · Ahorros 12345678901 · CC 1020304050`. */
export function accountInWords({ bank, kind, number, document_kind, document }: Account): string {
  const kindName = Object.entries(accountKinds).find(([each]) => each === kind)?.[1] ?? kind
  return `${banks[bank] ?? bank} · ${kindName} ${number} · ${document_kind} ${document}`
}
