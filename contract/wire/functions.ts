/**
 * Payloads of the functions (docs/specification.md §7) and their parsers. A parser returns the payload, or a Spanish
 * error message that the page shows. Parsers refuse unknown fields and actions (security.md AD-09).
 */
import type { Role } from '@finanzas/contract/people/claims.ts'
import { type PaperReason, paperReasons } from '@finanzas/contract/database-types.ts'
import { administratorExpenseCategory, depositCategory } from '@finanzas/contract/categories.ts'
import {
  categoryLengthMax,
  descriptionLengthMax,
  emailLengthMax,
  fullNameLengthMax,
  passwordLengthMax,
} from '@finanzas/contract/limits.ts'
import { decimalFromMinor, isTransactionAmount, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import type { PaperFormat } from './configuration.ts'
import type { TransactionType } from './rows.ts'
import { readUuid } from '@finanzas/contract/format/uuid.ts'

export type CreateUser = {
  action: 'create'
  email: string
  password: string
  role: Role
  user_metadata: { full_name: string }
}

export type DeleteUser = {
  action: 'delete'
  userId: string
}

/**
 * Sends a confirmation or an invitation again, or a link for a new password to a user who has signed in. Other changes to a user's access go through the table API
 * (docs/decisions/0060).
 */
export type ResendLink = {
  action: 'resend'
  userId: string
}

export type ChangeEmail = {
  action: 'change_email'
  userId: string
  email: string
}

export type ManageUsers = CreateUser | DeleteUser | ResendLink | ChangeEmail

export type CreateTransaction = {
  action: 'create'
  transactionData: {
    user_id: string
    /** Decimal text with exactly two decimals. */
    amount: string
    description: string
    type: TransactionType
    /** ISO 8601. */
    date: string
    category: string
  }
}

/** The caller's own password, which confirms the deletion. */
export type DeleteAccount = { password: string }

/** Requests the statement of a month, such as `2026-11`, the receipt of a transaction, or a certificate of the balance. */
export type IssueStatement = (IssueMonth | IssueReceipt | IssueCertificate) & { format: PaperFormat }

/**
 * The owner of a paper that an administrator makes, and the reason, which the audit records. Both are `null` when
 * customers request their own papers.
 */
export type PaperOwner =
  | { readonly user_id: string; readonly reason: PaperReason }
  | { readonly user_id: null; readonly reason: null }
export type IssueMonth = { month: string } & PaperOwner
export type IssueReceipt = { transaction_id: string } & PaperOwner
export type IssueCertificate = { certificate: 'balance' } & PaperOwner

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string }

const isoTime =
  /^(?<minute>(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/

export function parseManageUsers(body: unknown): Parsed<ManageUsers> {
  if (!isRecord(body)) return refuse('El cuerpo debe ser un objeto JSON.')
  if (body['action'] === 'create') return parseCreateUser(body)
  if (body['action'] === 'delete') return parseDeleteUser(body)
  if (body['action'] === 'resend') return parseResendLink(body)
  if (body['action'] === 'change_email') return parseChangeEmail(body)
  return refuse('La acción no existe.')
}

export function parseManageTransactions(body: unknown): Parsed<CreateTransaction> {
  if (!isRecord(body) || !isRecord(body['transactionData'])) {
    return refuse('El cuerpo debe ser un objeto JSON con la transacción.')
  }
  if (body['action'] !== 'create') return refuse('La acción no existe.')
  const data = body['transactionData']
  const unknown =
    unknownField(body, ['action', 'transactionData']) ??
    unknownField(data, ['user_id', 'amount', 'description', 'type', 'date', 'category'])
  if (unknown !== null) return refuse(`El campo «${unknown}» no existe.`)
  const { user_id, type, amount, date = new Date().toISOString() } = data
  if (typeof user_id !== 'string' || readUuid(user_id) === null)
    return refuse('Falta el usuario de la transacción.')
  if (type !== 'deposit' && type !== 'expense') return refuse('El tipo debe ser depósito o gasto.')
  const amountMinor =
    typeof amount === 'number' || typeof amount === 'string' ? minorFromDecimal(amount) : null
  if (!isTransactionAmount(amountMinor)) {
    return refuse('El monto debe ser mayor que cero, con dos decimales como máximo.')
  }
  const description = line(data['description'], descriptionLengthMax)
  if (description === null) return refuse('Escribe una descripción de 200 caracteres como máximo.')
  if (typeof date !== 'string' || !isTime(date)) return refuse('La fecha no es válida.')
  const category =
    data['category'] === undefined || data['category'] === null || data['category'] === ''
      ? defaultCategory(type)
      : line(data['category'], categoryLengthMax)
  if (category === null) return refuse('La categoría no es válida.')
  return accept({
    action: 'create',
    transactionData: { user_id, type, amount: decimalFromMinor(amountMinor), description, date, category },
  })
}

export function parseDeleteAccount(body: unknown): Parsed<DeleteAccount> {
  if (!isRecord(body) || unknownField(body, ['password']) !== null)
    return refuse('El cuerpo debe ser un objeto JSON con la contraseña.')
  const { password } = body
  if (typeof password !== 'string' || password === '') return refuse('Escribe tu contraseña.')
  // A character has at most two UTF-16 code units. A text that exceeds this length cannot be a valid password, and is
  // therefore not hashed.
  if (password.length > passwordLengthMax * 2) return refuse('La contraseña no es correcta.')
  return accept({ password })
}

export function parseIssueStatement(body: unknown): Parsed<IssueStatement> {
  if (!isRecord(body)) return refuse('El cuerpo debe ser un objeto JSON.')
  const { format = 'csv', ...asked } = body
  if (format !== 'csv' && format !== 'pdf') return refuse('El formato debe ser «csv» o «pdf».')
  const parsed = parseAsked(asked)
  return parsed.ok ? accept({ ...parsed.value, format }) : parsed
}

function parseAsked(asked: Record<string, unknown>): Parsed<IssueMonth | IssueReceipt | IssueCertificate> {
  if ('certificate' in asked) return parseIssueCertificate(asked)
  return 'transaction_id' in asked ? parseIssueReceipt(asked) : parseMonth(asked)
}

function parseMonth(body: Record<string, unknown>): Parsed<IssueMonth> {
  if (unknownField(body, ['month', 'user_id', 'reason']) !== null)
    return refuse('El cuerpo debe ser un objeto JSON con el mes.')
  const { month } = body
  const owner = parseOwner(body)
  if (!owner.ok) return owner
  if (typeof month !== 'string' || !/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    return refuse('El mes no es válido.')
  return accept({ month, ...owner.value })
}

function parseIssueReceipt(body: Record<string, unknown>): Parsed<IssueReceipt> {
  const unknown = unknownField(body, ['transaction_id', 'user_id', 'reason'])
  if (unknown !== null) return refuse(`El campo «${unknown}» no existe.`)
  const transaction_id = readUuid(body['transaction_id'])
  if (transaction_id === null) return refuse('El movimiento no es válido.')
  const owner = parseOwner(body)
  return owner.ok ? accept({ transaction_id, ...owner.value }) : owner
}

function parseIssueCertificate(body: Record<string, unknown>): Parsed<IssueCertificate> {
  const unknown = unknownField(body, ['certificate', 'user_id', 'reason'])
  if (unknown !== null) return refuse(`El campo «${unknown}» no existe.`)
  if (body['certificate'] !== 'balance') return refuse('El certificado debe ser «balance».')
  const owner = parseOwner(body)
  return owner.ok ? accept({ certificate: 'balance', ...owner.value }) : owner
}

function parseOwner(body: Record<string, unknown>): Parsed<PaperOwner> {
  if (!('user_id' in body) && !('reason' in body)) return accept({ user_id: null, reason: null })
  const user_id = readUuid(body['user_id'] ?? null)
  if (user_id === null) return refuse('El usuario no es válido.')
  const reason = paperReasons.find((each) => each === body['reason'])
  return reason === undefined ? refuse('Elige por qué haces el documento.') : accept({ user_id, reason })
}

/**
 * Returns the category of a transaction that an administrator records without choosing a category
 * (docs/specification.md §3).
 */
export function defaultCategory(type: TransactionType): string {
  return type === 'deposit' ? depositCategory : administratorExpenseCategory
}

function parseCreateUser(body: Record<string, unknown>): Parsed<CreateUser> {
  const unknown = unknownField(body, ['action', 'email', 'password', 'role', 'user_metadata'])
  if (unknown !== null) return refuse(`El campo «${unknown}» no existe.`)
  const { email, password, role = 'user', user_metadata: metadata } = body
  if (!isAddress(email)) return refuse('El email no es válido.')
  if (typeof password !== 'string' || password === '') return refuse('Falta la contraseña.')
  if (role !== 'user' && role !== 'admin') return refuse('El rol debe ser cliente o administrador.')
  const fullName = isRecord(metadata) ? line(metadata['full_name']) : null
  if (!isRecord(metadata) || fullName === null) return refuse('Falta el nombre completo.')
  if ([...fullName].length > fullNameLengthMax) {
    return refuse('Usa 120 caracteres como máximo para el nombre.')
  }
  const unknownMetadata = unknownField(metadata, ['full_name'])
  if (unknownMetadata !== null) return refuse(`El campo «${unknownMetadata}» no existe.`)
  return accept({
    action: 'create',
    email: email.trim(),
    password,
    role,
    user_metadata: { full_name: fullName },
  })
}

function parseResendLink(body: Record<string, unknown>): Parsed<ResendLink> {
  const userId = parseUserId(body, ['action', 'userId'])
  return userId.ok ? accept({ action: 'resend', userId: userId.value }) : userId
}

function parseChangeEmail(body: Record<string, unknown>): Parsed<ChangeEmail> {
  const userId = parseUserId(body, ['action', 'userId', 'email'])
  if (!userId.ok) return userId
  const { email } = body
  if (!isAddress(email)) return refuse('El email no es válido.')
  return accept({ action: 'change_email', userId: userId.value, email: email.trim() })
}

function parseDeleteUser(body: Record<string, unknown>): Parsed<DeleteUser> {
  const userId = parseUserId(body, ['action', 'userId'])
  return userId.ok ? accept({ action: 'delete', userId: userId.value }) : userId
}

function parseUserId(body: Record<string, unknown>, fields: readonly string[]): Parsed<string> {
  const unknown = unknownField(body, fields)
  if (unknown !== null) return refuse(`El campo «${unknown}» no existe.`)
  const userId = readUuid(body['userId'])
  return userId === null ? refuse('Falta el usuario.') : accept(userId)
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= emailLengthMax && /^[^\s@]+@[^\s@]+$/.test(value.trim())
}

/**
 * Returns whether the text is an ISO 8601 time whose date exists. `Date.parse` alone would read 31 February as 3 March.
 */
function isTime(text: string): boolean {
  const minute = isoTime.exec(text)?.groups?.['minute']
  if (minute === undefined) return false
  const time = new Date(`${minute}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(minute)
}

/**
 * Returns the text normalized to NFC and trimmed, or `null` if the text is too long or is not a single line of plain
 * text.
 */
function line(value: unknown, lengthMax = Number.POSITIVE_INFINITY): string | null {
  if (typeof value !== 'string') return null
  const text = value.normalize('NFC').trim()
  return [...text].length <= lengthMax && isPlainLine(text) ? text : null
}

function unknownField(value: Record<string, unknown>, known: readonly string[]): string | null {
  return Object.keys(value).find((key) => !known.includes(key)) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function accept<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message }
}
