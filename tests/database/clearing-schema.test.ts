// The XML of a clearing file follows the schema pain.001.001.09.
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { faultsOf, painSchema, parseXml, textsOf } from './pain-001.ts'
import { enableTransfers, request } from './transfers.ts'
import { closeFile, readFile } from './clearing.ts'
import { addElsewhere, addHolder, confirm } from './beneficiaries.ts'

const bank = useBank()
let xml: string

beforeAll(async () => {
  await enableTransfers(bank)
  // The file contains both the longest and the shortest values that the bank stores.
  await bank.asService(
    settings({
      brand_name: 'Banco Ñandú '.repeat(20),
      clearing_account: 'A1'.repeat(17),
      display_currency: 'USD',
    }),
  )
  const payer = await addHolder(bank)
  await bank.asService(sql`
    update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: 'Ñ'.repeat(120) })}::jsonb
    where id = ${payer.id}`)
  const nameless = await addHolder(bank)
  await bank.asService(sql`update auth.users set raw_user_meta_data = '{}' where id = ${nameless.id}`)
  const sends = [
    [payer, {}, 'Á'.repeat(80), '0.01', '&'.repeat(70) + 'Ü'.repeat(70)],
    [
      payer,
      { kind: 'checking', number: '1'.repeat(17), document_kind: 'NIT', document: '8909039388' },
      'ACME',
      '20.5',
      null,
    ],
    [
      nameless,
      { kind: 'deposit', number: '3001234567', document_kind: 'PA', document: 'A'.repeat(20) },
      'Z',
      '30',
      '李',
    ],
  ] as const
  for (const [person, account, name, amount, description] of sends) {
    const { id } = await addElsewhere(person, account, { name })
    await confirm(person, id)
    expect(await request(person, id, amount, { description })).toMatchObject({ status: 'done' })
  }
  xml = (await readFile(bank.administrator, (await closeFile(bank.administrator)).number)).xml ?? ''
})

test('the file has the schema’s elements in the required order, with values of the right length and form', () => {
  expect(faultsOf(parseXml(xml), painSchema)).toEqual([])
})

test('the number and the sum of the transfers are the same in the file’s header and in its payment block', () => {
  const parsed = parseXml(xml)

  expect(textsOf(parsed, 'EndToEndId')).toHaveLength(3)
  expect(textsOf(parsed, 'NbOfTxs')).toEqual(['3', '3'])
  expect(textsOf(parsed, 'InstdAmt')).toEqual(['0.01', '20.50', '30.00'])
  expect(textsOf(parsed, 'CtrlSum')).toEqual(['50.51', '50.51'])
})

test('the largest amount of a file is written with all its digits', async () => {
  const [row] = await bank.owner.query(
    sql<{ text: string }>`select private.decimal_text(1000 * 999999999999.99) as text`,
  )

  expect(row?.text).toBe('999999999999990.00')
})

describe('the check of the schema', () => {
  test.each([
    [
      'an element in the wrong place',
      (file: string) => file.replace(/(<Amt>.*?<\/Amt>)(.*?)(<RmtInf>)/, '$2$1$3'),
    ],
    ['a missing element', (file: string) => file.replace('<PmtMtd>TRF</PmtMtd>', '')],
    ['an unknown element', (file: string) => file.replace('<PmtId>', '<PmtId><Uetr>1</Uetr>')],
    ['an empty name', (file: string) => file.replace('<Nm>ACME</Nm>', '<Nm></Nm>')],
    ['a long message id', (file: string) => file.replace(/<MsgId>/, `<MsgId>${'1'.repeat(36)}`)],
    ['a long concept', (file: string) => file.replace('<Ustrd>', `<Ustrd>${'U'.repeat(140)}`)],
    ['an accent', (file: string) => file.replace('<Nm>ACME', '<Nm>Ñ')],
    ['an amount without decimals', (file: string) => file.replace('>20.50<', '>20<')],
    ['two choices', (file: string) => file.replace('<Cd>CACC</Cd>', '<Cd>CACC</Cd><Prtry>X</Prtry>')],
    ['another namespace', (file: string) => file.replace('pain.001.001.09', 'pain.001.001.03')],
  ])('finds %s', (_name, change) => {
    const changed = change(xml)
    expect(changed).not.toBe(xml)
    expect(faultsOf(parseXml(changed), painSchema)).not.toEqual([])
  })
})
