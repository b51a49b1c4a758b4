/**
 * Particulars of the bank and of the account's holder. A statement or receipt shows only known particulars
 * (docs/decisions/0074). The signed CSV has one line for each particular.
 */
import { formatAccountNumber } from '@finanzas/contract/format/account-number.ts'
import { escapeFormula } from '@finanzas/contract/format/csv.ts'
import { settingLengthMax } from '@finanzas/contract/limits.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { isTaxNumber } from '@finanzas/contract/format/tax-number.ts'

/** Facts about the bank, from its settings. */
export type BankParticulars = {
  readonly taxNumber?: string
  readonly address?: string
  readonly phone?: string
  /** Origin of the bank's page, such as `https://banco.example`. */
  readonly site?: string
}

export type Particulars = BankParticulars & {
  /** Kind and number of the holder's identity document, such as `CC 1032456789`. */
  readonly document?: string
  /** The account number: twelve digits in groups of four. */
  readonly accountNumber?: string
}

/** The labels are part of the file format. */
export const particularLabels = {
  taxNumber: 'NIT',
  address: 'Dirección',
  phone: 'Teléfono',
  site: 'Página',
  document: 'Documento',
  accountNumber: 'Número de cuenta',
} as const satisfies Record<keyof Particulars, string>

type Name = keyof Particulars

const names = Object.keys(particularLabels) as Name[]

const forms: Readonly<Record<Name, (text: string) => boolean>> = {
  taxNumber: isTaxNumber,
  address: isAddress,
  phone: isPhone,
  site: isSite,
  document: (text) => /^(?:CC|CE|NIT|PA|PPT|RC|TI) [A-Z\d-]{3,20}$/.test(text),
  accountNumber: (text) =>
    /^[1-9]\d{3} \d{4} \d{4}$/.test(text) && Number(text.replaceAll(' ', '')) % 97 === 1,
}

function isSite(text: string): boolean {
  return text.length <= settingLengthMax && /^https?:\/\/[^\s/@]+$/.test(text) && isPlainLine(text)
}

function isAddress(text: string): boolean {
  return text.length <= settingLengthMax && text.normalize('NFC') === text && isPlainLine(text)
}

/** Returns whether a text is a telephone number as people write it, such as `(601) 555 0100`. */
function isPhone(text: string): boolean {
  return /^[+(\d][\d ()-]{5,29}$/.test(text)
}

/** Rules for the bank's settings. `words` completes a sentence that begins with "debe ser". */
export const bankRules = {
  taxNumber: { accepts: isTaxNumber, words: 'un NIT con su dígito de verificación, como 890903938-8' },
  address: { accepts: isAddress, words: `una línea de ${settingLengthMax} caracteres como máximo` },
  phone: { accepts: isPhone, words: 'un teléfono, como (601) 555 0100' },
  site: { accepts: isSite, words: 'una dirección como https://banco.example' },
} as const

/** Returns the settings that have a value. Throws if a value breaks its rule. */
export function bankParticulars(
  settings: Readonly<Record<keyof BankParticulars, string | null | undefined>>,
): BankParticulars {
  const known = ofBank.flatMap((name) => {
    const value = settings[name]
    if (value === null || value === undefined || value === '') return []
    const { accepts, words } = bankRules[name]
    if (!accepts(value)) throw new Error(`${particularLabels[name]} debe ser ${words}.`)
    return [[name, value] as const]
  })
  return Object.fromEntries(known)
}

type NumbersRow = {
  account_number: string | null
  document_kind: string | null
  document_number: string | null
}

/** The columns of `account_holders` that a paper shows. `full_name` is `null` if the bank has not verified the name. */
export type HolderRow = NumbersRow & { full_name: string | null }

/** Returns what a paper says about the holder. A verified name replaces the name that the customer typed. */
export function holderOf(row: HolderRow, typed: { fullName: string; email: string }) {
  const { full_name: verified } = row
  return {
    fullName: verified ?? typed.fullName,
    isVerified: verified !== null,
    email: typed.email,
    particulars: holderParticulars(row),
  }
}

/** The holder as `public.issue_statement` returns it to an administrator. */
export type HolderAnswer = HolderRow & { readonly typed_name: string | null; readonly email: string | null }

export function holderOfAnswer(answer: HolderAnswer) {
  return holderOf(answer, { fullName: answer.typed_name ?? '', email: answer.email ?? '' })
}

/** Returns the holder's particulars from the row of the account. */
export function holderParticulars(row: NumbersRow): Pick<Particulars, 'document' | 'accountNumber'> {
  const { account_number: number, document_kind: kind, document_number: document } = row
  return {
    ...(kind !== null && document !== null && { document: `${kind} ${document}` }),
    ...(number !== null && { accountNumber: formatAccountNumber(number) }),
  }
}

/** Returns the lines of the CSV for these particulars. Omits a particular that is not known. */
export function particularLines(particulars: Particulars = {}, asked: readonly Name[] = names): string[][] {
  return asked.flatMap((name) => {
    const value = particulars[name]
    return value === undefined ? [] : [[particularLabels[name], escapeFormula(value)]]
  })
}

export const ofBank = ['taxNumber', 'address', 'phone', 'site'] as const
export const ofHolder: readonly Name[] = ['document']
export const ofAccount: readonly Name[] = ['accountNumber']

/** Separates the particulars from the other lines of a heading, which ends at the first empty line. */
export function withoutParticulars(lines: readonly string[][]): {
  lines: string[][]
  values: Map<string, string>
} {
  const end = lines.findIndex((fields) => fields.join('') === '')
  const labels = new Set<string>(Object.values(particularLabels))
  const isParticular = ([label = '', , ...others]: string[], index: number) =>
    (end === -1 || index < end) && labels.has(label) && others.length === 0
  return {
    lines: lines.filter((fields, index) => !isParticular(fields, index)),
    values: new Map(lines.filter(isParticular).map(([label = '', value = '']) => [label, value])),
  }
}

/** Reads the particulars from the values of `withoutParticulars`. Returns `undefined` if the values contain none. */
export function particularsOf(
  values: ReadonlyMap<string, string>,
  unescape: (field: string) => string,
): Particulars | undefined {
  const known = names.flatMap((name) => {
    const value = values.get(particularLabels[name])
    return value === undefined ? [] : [[name, unescape(value)] as const]
  })
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

export function areParticulars(particulars: Particulars = {}): boolean {
  return names.every((name) => {
    const value = particulars[name]
    return value === undefined || forms[name](value)
  })
}

/** Returns the particulars as text for the result of a verification. */
export function particularsInWords(particulars: Particulars = {}): string {
  return names
    .flatMap((name) => {
      const value = particulars[name]
      return value === undefined ? [] : [`${particularLabels[name]}: ${value}.`]
    })
    .join(' ')
}
