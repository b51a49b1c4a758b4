// The bank issues monthly statements and signs only data that it has read from its own database.
import { expect, inject, test } from 'vitest'
import {
  type CertificateAnswer,
  checkCertificate,
  readCertificateCsv,
} from '@finanzas/contract/papers/certificate.ts'
import { checkStatement } from '@finanzas/contract/papers/check.ts'
import { readStatementCsv } from '@finanzas/contract/papers/csv.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import {
  type StatementKeys,
  checkSignature,
  readStatementKeys,
  statementKeysPath,
} from '@finanzas/contract/papers/signature.ts'
import { type ReceiptAnswer, checkReceipt, readReceiptCsv } from '@finanzas/contract/papers/receipt.ts'
import type { StatementAnswer } from '@finanzas/contract/papers/statement.ts'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { depositFor, invoke } from './invoke.ts'

const { url, hostedStatementKey } = inject('server')

async function publishedKeys(): Promise<StatementKeys> {
  // A hosted project publishes its public key as a static file of the page.
  if (hostedStatementKey !== null) return { keys: [hostedStatementKey] }
  const keys = readStatementKeys(await (await fetch(`${url}${statementKeysPath}`)).json())
  if (keys === null) throw new Error('No keys are published.')
  return keys
}

const thisMonth = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)

test('a customer can get a signed statement with their name and the entries of the month', async () => {
  const person = await signUpCustomer()
  const office = (await administrator()).client
  await invoke(office, 'manage-transactions', depositFor(person.id))
  const month = thisMonth()
  const { data: holder } = await person.client.from('account_holders').select('account_number').single()
  const accountNumber = holder?.account_number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

  const { status, body } = await invoke(person.client, 'statement', { month })

  const statement = readStatementCsv(String(body['csv']))
  if (statement === null) throw new Error('This is not a statement.')
  expect(status).toBe(200)
  expect(statement).toMatchObject({
    bankName: 'Banco Finanzas',
    customer: `Ana Pérez (nombre declarado) · ${person.email}`,
    particulars: { accountNumber },
    account: person.id,
    currency: 'USD',
    month,
    closingMinor: 1000,
  })
  expect(await checkSignature(statement, await publishedKeys())).toBe('valid')
  expect(await checkSignature({ ...statement, currency: 'COP' }, await publishedKeys())).toBe('false')
  const { data } = await person.client.rpc('statement', {
    month: `${month}-01`,
    until_seq: statement.lastSeq,
  })
  expect(checkStatement(statement, data as StatementAnswer, statement)).toMatchObject({ holds: true })
})

test('a customer can get each paper in PDF, whose signature covers the whole file', async () => {
  const person = await signUpCustomer()
  const office = (await administrator()).client
  const { body: recorded } = await invoke(office, 'manage-transactions', depositFor(person.id))
  const pdfOf = async (asked: object) => {
    const { data } = await person.client.functions.invoke<Blob>('statement', {
      body: { ...asked, format: 'pdf' },
    })
    return data === null ? null : new Uint8Array(await data.arrayBuffer())
  }
  if (hostedStatementKey !== null) {
    const refused = await invoke(person.client, 'statement', { month: thisMonth(), format: 'pdf' })
    expect(refused).toMatchObject({ status: 501, body: { error: expect.stringContaining('solo en CSV') } })
    return
  }

  for (const [asked, facts] of [
    [{ month: thisMonth() }, { closingMinor: 1000 }],
    [{ transaction_id: recorded['id'] }, { amountMinor: 1000 }],
    [{ certificate: 'balance' }, { bookedMinor: 1000 }],
  ] as const) {
    const pdf = await pdfOf(asked)
    if (pdf === null) throw new Error('No PDF was issued.')
    expect(await verifyFile(pdf, publishedKeys)).toMatchObject({ signature: 'valid', document: facts })
    const changed = pdf.slice()
    changed[pdf.length - 300] = (changed[pdf.length - 300] ?? 0) ^ 1
    expect(await verifyFile(changed, publishedKeys)).toEqual({ signature: 'false', document: null })
  }
})

test('a customer cannot put a whole sentence into a signed statement as their name', async () => {
  const person = await signUpCustomer()
  const full_name = 'Ana. CERTIFICAMOS saldo promedio anual de $ 250,000,000.00. Gerencia'
  expect((await person.client.auth.updateUser({ data: { full_name } })).error).toBeNull()

  const { body } = await invoke(person.client, 'statement', { month: thisMonth() })

  expect(readStatementCsv(String(body['csv']))).toMatchObject({ customer: person.email })
})

test('the bank does not sign the caller’s own text or another person’s statement', async () => {
  const person = await signUpCustomer()
  const month = thisMonth()

  for (const body of [
    { month, csv: 'Banco;Otro' },
    { month, account: crypto.randomUUID() },
    { month: `${month}-01` },
    { month: '2026-13' },
    { month, transaction_id: crypto.randomUUID() },
    { transaction_id: 'todos' },
    { transaction_id: crypto.randomUUID(), user_id: null },
    { transaction_id: crypto.randomUUID(), user_id: crypto.randomUUID() },
    { month, user_id: crypto.randomUUID() },
    { month, user_id: crypto.randomUUID(), reason: 'porque sí' },
    { month, reason: 'in_person' },
    { transaction_id: crypto.randomUUID(), description: 'Otra' },
    { month: '0000-01' },
    { certificate: 'income' },
    { certificate: 'balance', month },
    { certificate: 'balance', user_id: crypto.randomUUID() },
    { month, format: 'docx' },
    { month, format: null },
    {},
  ])
    expect((await invoke(person.client, 'statement', body)).status).toBe(400)
})

test('a customer can get a signed receipt only for their own transactions', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]
  const office = (await administrator()).client
  const { body: recorded } = await invoke(office, 'manage-transactions', depositFor(person.id))
  const asked = { transaction_id: recorded['id'] }

  const { status, body } = await invoke(person.client, 'statement', asked)

  const receipt = readReceiptCsv(String(body['csv']))
  if (receipt === null) throw new Error('This is not a receipt.')
  expect(status).toBe(200)
  expect(receipt).toMatchObject({
    bankName: 'Banco Finanzas',
    customer: `Ana Pérez (nombre declarado) · ${person.email}`,
    account: person.id,
    type: 'deposit',
    amountMinor: 1000,
    recordedBy: 'bank',
    state: 'valid',
  })
  expect(await checkSignature(receipt, await publishedKeys())).toBe('valid')
  expect(await checkSignature({ ...receipt, description: 'Otra' }, await publishedKeys())).toBe('false')
  const { data } = await person.client.rpc('receipt', asked)
  expect(checkReceipt(receipt, data as ReceiptAnswer, receipt)).toMatchObject({ holds: true, isWhole: true })

  expect(await invoke(other.client, 'statement', asked)).toMatchObject({ status: 404 })
  for (const paper of [asked, { month: thisMonth() }])
    expect(
      await invoke(other.client, 'statement', { ...paper, user_id: person.id, reason: 'in_person' }),
    ).toMatchObject({ status: 403 })
})

test('an administrator can get a customer’s receipt, which names the customer and is recorded in the audit', async () => {
  const person = await signUpCustomer()
  const office = (await administrator()).client
  const { body: recorded } = await invoke(office, 'manage-transactions', depositFor(person.id))

  const owner = { user_id: person.id, reason: 'in_person' }
  const { body } = await invoke(office, 'statement', { transaction_id: recorded['id'], ...owner })

  expect(readReceiptCsv(String(body['csv']))).toMatchObject({
    customer: `Ana Pérez (nombre declarado) · ${person.email}`,
    account: person.id,
  })
  const { data: entries } = await office.rpc('audit_of', { user_id: person.id })
  expect((entries as { action: string }[])[0]?.action).toBe('issue_receipt')
})

test('an administrator who has opened a customer’s page can get the customer’s statement, and the audit has the reason', async () => {
  const person = await signUpCustomer()
  const office = (await administrator()).client
  await invoke(office, 'manage-transactions', depositFor(person.id))
  const asked = { month: thisMonth(), user_id: person.id, reason: 'authority' }
  expect((await invoke(office, 'statement', asked)).status).toBe(403)
  await office.rpc('open_customer', { user_id: person.id })

  const { status, body } = await invoke(office, 'statement', asked)

  const statement = readStatementCsv(String(body['csv']))
  expect(status).toBe(200)
  expect(statement).toMatchObject({
    customer: `Ana Pérez (nombre declarado) · ${person.email}`,
    account: person.id,
    closingMinor: 1000,
  })
  expect(statement && (await checkSignature(statement, await publishedKeys()))).toBe('valid')
  const { data: entries } = await office.rpc('audit_of', { user_id: person.id })
  expect((entries as object[])[0]).toMatchObject({
    action: 'issue_statement',
    after: { month: thisMonth(), reason: 'authority' },
  })
})

test('a customer and staff who have opened the customer’s page can get a signed certificate of the balance', async () => {
  const [person, other] = [await signUpCustomer(), await signUpCustomer()]
  const office = (await administrator()).client
  await invoke(office, 'manage-transactions', depositFor(person.id))
  const asked = { certificate: 'balance' }
  const owner = { user_id: person.id, reason: 'in_person' }
  expect((await invoke(other.client, 'statement', { ...asked, ...owner })).status).toBe(403)
  expect((await invoke(office, 'statement', { ...asked, ...owner })).status).toBe(403)
  await office.rpc('open_customer', { user_id: person.id })

  const answers = [
    await invoke(person.client, 'statement', asked),
    await invoke(office, 'statement', { ...asked, ...owner }),
  ]

  for (const { status, body } of answers) {
    const certificate = readCertificateCsv(String(body['csv']))
    if (certificate === null) throw new Error('This is not a certificate.')
    expect(status).toBe(200)
    expect(certificate).toMatchObject({
      customer: `Ana Pérez (nombre declarado) · ${person.email}`,
      account: person.id,
      bookedMinor: 1000,
    })
    expect(await checkSignature(certificate, await publishedKeys())).toBe('valid')
    const { data } = await person.client.rpc('balance_certificate', { until_seq: certificate.lastSeq })
    expect(checkCertificate(certificate, data as CertificateAnswer, certificate)).toMatchObject({
      holds: true,
      isWhole: true,
    })
  }
  const { data: entries } = await office.rpc('audit_of', { user_id: person.id })
  expect((entries as object[])[0]).toMatchObject({
    action: 'issue_balance_certificate',
    after: { reason: 'in_person' },
  })
})

test('the public keys can be read without an API key, but the private keys cannot be read', async () => {
  const person = await signUpCustomer()
  await invoke(person.client, 'statement', { month: thisMonth() })
  if (hostedStatementKey !== null) return

  const answer = await fetch(`${url}${statementKeysPath}`)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const { keys } = (await answer.json()) as { keys: object[] }
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'x5c', 'y'],
  ])
})
