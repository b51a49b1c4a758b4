/** Rules about requests, batches, corrections and the clearing that only triggers can enforce. */
import type { EffectWords, Rule } from './effect-words.ts'

/** Rules about requests and batches. */
export function requestRules({
  customer,
  service,
  owner,
  own,
  adminId,
  isNoted,
  actor,
}: EffectWords): Record<string, Rule[]> {
  return {
    'public.batch_lines': [
      {
        rule: 'the deletion of a customer deletes the descriptions of their batch lines',
        as: service,
        sql: `delete from auth.users where id = '${own}'`,
        see: `select count(*) from public.batch_lines where user_id is null and description is not null`,
        expected: '1 row: 0',
      },
      {
        rule: 'the posting of a batch adds no audit entry',
        as: actor('service'),
        sql: `select private.post_batch_piece(100)`,
        see: `select action from ledger.audit order by id desc limit 1`,
        expected: '1 row: read_customer',
      },
    ],
    'public.requests': [
      {
        rule: 'a batch whose request is cancelled ends without deposits',
        as: owner,
        sql: `select private.end_undone(r, 'cancelled') from public.requests r where r.kind = 'batch'`,
        prepare: `insert into public.requests (id, kind, status, asked_by, amount, expires_at, body_hash, details)
          values ('${customer.deleted.own}', 'batch', 'waiting', '${adminId}', 1, now(), 'x', '{}')`,
        see: `select failed || ' ' || (finished_at is not null) from public.batches where id = '${customer.deleted.own}'`,
        expected: '1 row: 1 true',
      },
      {
        rule: 'the deletion of a customer cancels their transfers and deletes the texts in them',
        as: service,
        sql: `delete from auth.users where id = '${own}'`,
        see: `select status || ' ' || (payee_name is null) from public.requests where payer = '${own}'`,
        expected: '1 row: cancelled true',
      },
      {
        rule: 'a transfer that fails is noted for the customer who chose transfers',
        as: owner,
        sql: `select private.end_request(r, 'failed') from public.requests r where payer = '${own}'`,
        ...isNoted('transfer'),
      },
    ],
  }
}

/** Rules about corrections, receipts and the clearing. */
export function correctionRules({
  customer,
  admin,
  own,
  isNoted,
  notEvenTheOwner,
  inClearing,
  appendOnly,
}: EffectWords): Record<string, Rule[]> {
  return {
    'public.corrections': [
      {
        rule: 'a correction is noted for the customer who chose corrections',
        as: admin,
        sql: `select public.correct_transaction('${own}', '${customer.banked.own}', 'Duplicado')`,
        ...isNoted('correction'),
      },
      ...appendOnly('public.corrections', 'user_id').slice(0, 2),
      notEvenTheOwner('delete a correction', `delete from public.corrections`),
      {
        rule: 'a correction adds exactly one audit entry',
        as: admin,
        sql: `select public.correct_transaction('${own}', '${customer.banked.own}', 'Duplicado')`,
        see: `select string_agg(action, ' ' order by id desc) from (select * from ledger.audit order by id desc limit 2) a`,
        expected: '1 row: correct_transaction read_customer',
      },
      {
        rule: 'a receipt for a customer adds one audit entry',
        as: admin,
        sql: `select public.receipt('${customer.banked.own}', '${own}', null, 'in_person')`,
        see: `select string_agg(action, ' ' order by id desc) from (select * from ledger.audit order by id desc limit 2) a`,
        expected: '1 row: issue_receipt read_customer',
      },
    ],
    'private.clearing_files': [
      ...appendOnly('private.clearing_files', 'number').filter(({ sql }) => !sql.startsWith('truncate')),
      notEvenTheOwner('truncate private.clearing_files', 'truncate private.clearing_files cascade'),
    ],
    'private.clearing_transfers': [
      {
        ...notEvenTheOwner(
          'change a transfer in the clearing',
          `update private.clearing_transfers set amount = 2`,
        ),
        prepare: inClearing,
      },
      {
        ...notEvenTheOwner('delete a transfer from the clearing', `delete from private.clearing_transfers`),
        prepare: inClearing,
      },
      notEvenTheOwner('truncate private.clearing_transfers', 'truncate private.clearing_transfers'),
    ],
  }
}
