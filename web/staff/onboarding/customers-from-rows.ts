/** Parses the rows of a table as new customers, and finds the mistakes in each line. */
import { emailLengthMax, fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { isTransactionAmount, type MinorUnits } from '@finanzas/contract/money.ts'
import { type DocumentKind } from '@finanzas/contract/database-types.ts'
import { readDocumentKind, readDocumentNumber, readPhone, splitDocument } from '#staff/forms/holder-data.ts'
import type { SheetMapping } from '#staff/batches/sheet.ts'
import { readAmount } from '#amounts/amounts.ts'
import { bestColumn, isHeadingOfPeople, likeliestColumn } from '#uploads/columns.ts'
import { guessDecimalMark, readFigure, type DecimalMark } from '#uploads/figures.ts'
import { readTable, type ReadTable, type Upload } from '#uploads/read-table.ts'
import { fieldOf, plainLine, textsOf, type Row, type Table } from '#uploads/table.ts'

export const columnRoles = ['name', 'email', 'kind', 'number', 'phone', 'amount'] as const
export type ColumnRole = (typeof columnRoles)[number]

export type ColumnMapping = SheetMapping<ColumnRole>

/** The user's changes to a line. */
export type Edit = Partial<Readonly<Record<ColumnRole, string>>> & { readonly isOut?: boolean }

export type Fault = 'missing' | 'invalid' | 'taken' | 'twin'

export type NewCustomer = {
  readonly line: number
  /** The texts of the file, or of the user's corrections. */
  readonly texts: Readonly<Record<ColumnRole, string>>
  readonly name: string
  readonly email: string
  readonly kind: DocumentKind | null
  readonly number: string | null
  readonly phone: string | null
  /** Zero for a line without an opening balance. */
  readonly amountMinor: MinorUnits
  readonly faults: Partial<Readonly<Record<ColumnRole, Fault>>>
  readonly isOut: boolean
}

const headings: Readonly<Record<ColumnRole, readonly string[]>> = {
  name: ['nombre completo', 'nombre', 'cliente', 'titular', 'razon social', 'full name', 'name'],
  email: ['email', 'e-mail', 'correo', 'mail'],
  kind: ['tipo de documento', 'tipo documento', 'tipo doc', 'tipo', 'document type'],
  number: ['numero de documento', 'documento', 'identificacion', 'cedula', 'nit', 'document', 'id'],
  phone: ['telefono', 'celular', 'movil', 'phone', 'mobile'],
  amount: ['saldo inicial', 'saldo', 'monto', 'valor', 'balance', 'amount'],
}
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/** Parses the bytes of a file, or rows that were copied from a spreadsheet. */
export function readCustomerSheet(file: Upload, sheet?: string): Promise<ReadTable<ColumnMapping>> {
  return readTable(file, { isHeading, recognizeMapping, sheet })
}

function isHeading(row: Row): boolean {
  return isHeadingOfPeople(row, headings, isEmail)
}

function recognizeMapping(table: Table): ColumnMapping {
  const { columns, rows } = table
  const email = likeliestColumn(table, isEmail)
  const taken = new Set(email === null ? [] : [email])
  const named = (role: ColumnRole) => {
    const place = bestColumn(columns, headings[role], taken)
    if (place !== null) taken.add(place)
    return place
  }
  // Looks for the column of the kind before the column of the number, because both headings often contain the word
  // "documento".
  const kind = named('kind') ?? likeliestColumn(table, (text) => readDocumentKind(text) !== null, [...taken])
  if (kind !== null) taken.add(kind)
  const [number, phone, amount, name] = [named('number'), named('phone'), named('amount'), named('name')]
  return {
    name: name ?? likeliestColumn(table, (text) => /^[\p{L}\s.'-]+$/u.test(text), [...taken]),
    email,
    kind,
    number,
    phone,
    amount,
    decimal: guessDecimalMark(textsOf(rows, amount)),
  }
}

/** Parses rows as new customers. `taken` contains the addresses that users of the bank have. */
export function readCustomers(
  { rows }: Table,
  mapping: ColumnMapping,
  edits: ReadonlyMap<number, Edit>,
  taken: ReadonlySet<string>,
): NewCustomer[] {
  const seen = { email: new Set<string>(), number: new Set<string>() }
  return rows.map((row) => {
    const edit = edits.get(row.line) ?? {}
    const text = (role: ColumnRole) => (edit[role] ?? fieldOf(row, mapping[role])).trim()
    const texts = {
      name: text('name'),
      email: text('email'),
      ...documentTexts(text('kind'), text('number'), edit),
      phone: text('phone'),
      amount: text('amount'),
    }
    const faults: Partial<Record<ColumnRole, Fault>> = {}
    const isOut = edit.isOut === true
    const name = plainLine(texts.name, fullNameLengthMax + 1) ?? ''
    if (name === '') faults.name = 'missing'
    else if ([...name].length > fullNameLengthMax) faults.name = 'invalid'
    const email = texts.email.toLowerCase()
    if (email === '') faults.email = 'missing'
    else if (!isEmail(email) || email.length > emailLengthMax) faults.email = 'invalid'
    else if (taken.has(email)) faults.email = 'taken'
    else if (!isOut && seen.email.has(email)) faults.email = 'twin'
    const { kind, number } = readDocument(texts, faults)
    if (!isOut && number !== null && seen.number.has(`${kind} ${number}`)) faults.number = 'twin'
    if (!isOut) {
      seen.email.add(email)
      if (number !== null) seen.number.add(`${kind} ${number}`)
    }
    const phone = readPhone(texts.phone)
    if (texts.phone !== '' && phone === null) faults.phone = 'invalid'
    const amountMinor = readBalance(texts.amount, edit.amount === undefined ? mapping.decimal : null)
    if (amountMinor === null) faults.amount = 'invalid'
    return {
      line: row.line,
      texts,
      name,
      email,
      kind,
      number,
      phone,
      amountMinor: amountMinor ?? (0 as MinorUnits),
      faults,
      isOut,
    }
  })
}

/**
 * Returns the kind and the number of a document. The number's text may contain both, such as `CC 1020304050`. If it
 * contradicts the column of the kind, it stays as it is, and staff choose the kind.
 */
function documentTexts(kind: string, number: string, edit: Edit): { kind: string; number: string } {
  const whole = splitDocument(number)
  const isClear = kind === '' || edit.kind !== undefined || readDocumentKind(kind) === whole?.kind
  return whole === null || !isClear ? { kind, number } : { kind: kind || whole.kind, number: whole.number }
}

/**
 * Parses the identity document, and records the mistakes in it. Digits without a kind count as a cédula, the
 * document that most people have.
 */
function readDocument(
  texts: { kind: string; number: string },
  faults: Partial<Record<ColumnRole, Fault>>,
): { kind: DocumentKind | null; number: string | null } {
  if (texts.number === '') return { kind: null, number: null }
  if (texts.kind === '' && /\p{L}/u.test(texts.number)) {
    faults.kind = 'missing'
    return { kind: null, number: null }
  }
  const kind = texts.kind === '' ? 'CC' : readDocumentKind(texts.kind)
  if (kind === null) {
    faults.kind = 'invalid'
    return { kind, number: null }
  }
  const number = readDocumentNumber(kind, texts.number)
  if (number === null) faults.number = 'invalid'
  return { kind: number === null ? null : kind, number }
}

/**
 * Returns the opening balance, or `null` if the text is not a valid opening balance. The user types amounts in the
 * bank's notation.
 */
function readBalance(text: string, decimal: DecimalMark | null): MinorUnits | null {
  if (/^[-–—]?$/.test(text) || /^\D*0+(?:[.,]0*)?$/.test(text)) return 0 as MinorUnits
  const typed = decimal === null ? readAmount(text) : null
  const figure = typed === null ? readFigure(text, decimal ?? '.') : typed.ok ? typed.amountMinor : null
  return figure !== null && figure > 0 && isTransactionAmount(figure as MinorUnits)
    ? (figure as MinorUnits)
    : null
}

export function isFaulty({ faults }: NewCustomer): boolean {
  return Object.keys(faults).length > 0
}
