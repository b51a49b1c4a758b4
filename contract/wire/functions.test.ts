import { describe, expect, test } from 'vitest'
import { parseManageTransactions, parseManageUsers } from './functions.ts'

const id = '6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'

describe('manage-transactions', () => {
  const data = {
    user_id: id,
    amount: 1250000.5,
    description: '  Nómina ',
    type: 'deposit',
    date: '2026-11-21T15:00:00.000Z',
    category: 'Deposito',
  }
  const body = (change: object) => ({ action: 'create', transactionData: { ...data, ...change } })

  test('the parser returns the amount as exact decimal text', () => {
    expect(parseManageTransactions(body({}))).toEqual({
      ok: true,
      value: {
        action: 'create',
        transactionData: { ...data, amount: '1250000.50', description: 'Nómina' },
      },
    })
  })

  test.each([
    ['deposit', 'Deposito'],
    ['expense', 'Gasto'],
  ])('a %s without a category gets the category %s', (type, category) => {
    expect(parseManageTransactions(body({ type, category: undefined }))).toMatchObject({
      value: { transactionData: { category } },
    })
  })

  test.each([
    ['no user', { user_id: '' }],
    ['a user that is not an id', { user_id: "' or 1=1" }],
    ['another type', { type: 'transfer' }],
    ['amount 0', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['NaN', { amount: Number.NaN }],
    ['the text NaN', { amount: 'NaN' }],
    ['three decimals', { amount: 0.005 }],
    ['an amount above the maximum', { amount: 1e12 }],
    ['a text that is not a plain number', { amount: '01' }],
    ['a day that no month has', { date: '2026-02-31T00:00:00Z' }],
    ['the 31st of a short month', { date: '2026-04-31T12:00:00-05:00' }],
    ['an offset that no place has', { date: '2026-11-20T00:00:00+20:00' }],
    ['an offset with sixty minutes', { date: '2026-11-20T00:00:00-05:60' }],
    ['the year 0', { date: '0000-01-01T00:00:00Z' }],
    ['the hour 24', { date: '2026-11-20T24:00:00Z' }],
    ['no description', { description: '   ' }],
    ['a description of 201 characters', { description: 'a'.repeat(201) }],
    ['a description of two lines', { description: 'uno\ndos' }],
    ['a date in words', { date: 'mañana' }],
    ['a date that only a program would guess', { date: 'foo 1' }],
    ['a day without a time', { date: '2026-11-20' }],
    ['half of a surrogate pair', { description: '\ud800' }],
    ['a field that does not exist', { recorded_by: 'bank' }],
    ['a category of 51 characters', { category: 'a'.repeat(51) }],
  ])('%s is refused with a message that is a sentence', (_what, change) => {
    expect(parseManageTransactions(body(change))).toEqual({
      ok: false,
      message: expect.stringMatching(/^[A-ZÉ].*\.$/),
    })
  })

  test.each([
    null,
    [],
    'text',
    1,
    {},
    { action: 'create' },
    { ...body({}), action: 'delete' },
    { ...body({}), more: 1 },
  ])('the body %j is refused', (value) => {
    expect(parseManageTransactions(value).ok).toBe(false)
  })
})

describe('manage-users', () => {
  const create = {
    action: 'create',
    email: ' ana@banco.example ',
    password: 'secreta larga',
    role: 'user',
    user_metadata: { full_name: 'Ana Pérez' },
  }

  test("the parser accepts the page's payloads", () => {
    expect(parseManageUsers(create)).toEqual({ ok: true, value: { ...create, email: 'ana@banco.example' } })
    expect(parseManageUsers({ action: 'delete', userId: id })).toEqual({
      ok: true,
      value: { action: 'delete', userId: id },
    })
  })

  test('a new user is a customer by default', () => {
    expect(parseManageUsers({ ...create, role: undefined })).toMatchObject({ value: { role: 'user' } })
  })

  test.each([
    ['no e-mail', { email: '' }],
    ['an e-mail without @', { email: 'ana' }],
    ['no password', { password: '' }],
    ['another role', { role: 'owner' }],
    ['no name', { user_metadata: {} }],
    ['more metadata', { user_metadata: { full_name: 'Ana', role: 'admin' } }],
    ['app_metadata', { app_metadata: { role: 'admin' } }],
    ['another action', { action: 'promote' }],
  ])('%s is refused', (_what, change) => {
    expect(parseManageUsers({ ...create, ...change }).ok).toBe(false)
  })

  test('the message for an overlong name states the limit of 120 characters', () => {
    const named = (full_name: string) => parseManageUsers({ ...create, user_metadata: { full_name } })

    expect(named('é'.repeat(120)).ok).toBe(true)
    expect(named('é'.repeat(121))).toEqual({
      ok: false,
      message: 'Usa 120 caracteres como máximo para el nombre.',
    })
    expect(named('  ')).toEqual({ ok: false, message: 'Falta el nombre completo.' })
  })

  test.each([
    ['delete', {}],
    ['resend', {}],
    ['change_email', { email: 'otra@banco.example' }],
  ])('%s requires the person’s id and refuses unknown fields', (action, more) => {
    const order = { action, userId: id.toUpperCase(), ...more }

    expect(parseManageUsers(order)).toEqual({ ok: true, value: { ...order, userId: id } })
    expect(parseManageUsers({ ...order, userId: 'ana@banco.example' }).ok).toBe(false)
    expect(parseManageUsers({ ...order, force: true }).ok).toBe(false)
  })

  test.each(['block', 'unblock', 'end_sessions', 'reset_factor', 'cancel_email_change'])(
    'the function refuses %s, which is a call of the table API',
    (action) => {
      expect(parseManageUsers({ action, userId: id })).toEqual({ ok: false, message: 'La acción no existe.' })
    },
  )
})
