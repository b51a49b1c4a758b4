// The verification of the ledger compares each clearing file with its transfers, and with its hashes in the audit.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { withOwnersRights } from '#server/backup/restore.ts'
import { describeBroken, verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { keepTables, putBack } from './kept-tables.ts'
import { enableTransfers, request } from './transfers.ts'
import { closeFile } from './clearing.ts'
import { payerElsewhere } from './beneficiaries.ts'

const bank = useBank()
// The copied rows are put back in this order.
const tables = ['private.clearing_files', 'private.clearing_transfers']
const findBroken = async () => (await verifyLedger(withOwnersRights(bank.owner))).broken

/** Runs SQL with triggers disabled, as the owner of the database could. */
const tamper = (statement: string) => {
  const switchTriggers = (how: 'disable' | 'enable') =>
    tables.map((table) => `alter table ${table} ${how} trigger user;`).join('\n')
  return bank.owner.script(`${switchTriggers('disable')}\n${statement};\n${switchTriggers('enable')}`)
}

beforeAll(async () => {
  await enableTransfers(bank)
  const { payer, beneficiary } = await payerElsewhere(bank)
  for (const amounts of [['10', '20.5'], ['30'], ['35']]) {
    for (const amount of amounts) await request(payer, beneficiary, amount)
    await closeFile(bank.administrator)
  }
  await request(payer, beneficiary, '1')
  // The owner could also drop the foreign key, and then delete a file.
  await bank.owner
    .script(`alter table private.clearing_transfers drop constraint clearing_transfers_file_fkey;
    ${keepTables(tables)}`)
})
afterEach(() => tamper(putBack(tables)))

test('the verification finds no error in a bank with three clearing files', async () => {
  expect(await findBroken()).toBeNull()
})

test.for([
  ['a changed count', 'update private.clearing_files set transfers = 3 where number = 1', 1],
  ['a changed sum', 'update private.clearing_files set amount = 31.5 where number = 1', 1],
  [
    'a changed CSV',
    `update private.clearing_files set csv = replace(csv, '30.00', '31.00') where number = 2`,
    2,
  ],
  [
    'a changed XML',
    `update private.clearing_files set xml = replace(xml, '30.00', '31.00') where number = 2`,
    2,
  ],
  ['a transfer that left its file', 'update private.clearing_transfers set file = null where file = 3', 3],
  [
    'a transfer that was added to a file',
    'update private.clearing_transfers set file = 2 where file is null',
    2,
  ],
  [
    'a transfer that was moved to another file',
    'update private.clearing_transfers set file = 2 where amount = 20.5',
    1,
  ],
  ['a changed number', 'update private.clearing_files set number = 9 where number = 2', 2],
  ['a deleted file', 'delete from private.clearing_files where number = 2', 2],
  ['a deleted last file', 'delete from private.clearing_files where number = 3', 3],
  [
    'a file that no administrator closed',
    `insert into private.clearing_files
     select 4, closed_at, closed_by, closed_by_name, transfers, amount, csv, xml
     from private.clearing_files where number = 3`,
    4,
  ],
] as const)('the verification finds %s', async ([, statement, number]) => {
  await tamper(statement)

  expect(await findBroken()).toEqual({ customerId: null, seq: number, fault: 'clearing_file' })
})

test('the description of an error in a clearing file contains the number of the file', () => {
  expect(describeBroken({ customerId: null, seq: 2, fault: 'clearing_file' })).toBe(
    'el archivo de compensación 2: no coincide con sus transferencias o con su huella en la auditoría',
  )
})
