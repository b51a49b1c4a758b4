/**
 * Changes one posting of a transfer, or the transfer's request. The chain, the balance and the list of each customer
 * stay consistent. Only a comparison of the request with both journals reveals these changes.
 */
import type { Random } from '#nightly/fixtures/random.ts'

/** The payee of a transfer to another bank is `null`. */
export type StoredRequest = { id: string; status: string; payer: string; payee: string | null }

/** Creates a function that computes a customer's chain and balance anew, as the owner of the database could. */
export const rewriteChain = `
  create function ledger.rewrite_chain(customer uuid) returns void language plpgsql as $$
  declare
    entries constant ledger.journal[] := array(select j from ledger.journal j where j.user_id = customer order by j.seq);
    entry ledger.journal;
    last ledger.journal;
  begin
    delete from ledger.journal j where j.user_id = customer;
    last.seq := 0;
    last.balance_after := 0;
    last.hash := decode(repeat('00', 32), 'hex');
    foreach entry in array entries loop
      entry.seq := last.seq + 1;
      entry.balance_after := case entry.kind when 'closing' then 0 else last.balance_after + entry.delta end;
      entry.delta := entry.balance_after - last.balance_after;
      entry.previous_hash := last.hash;
      entry.hash := ledger.entry_hash(entry);
      insert into ledger.journal
        (user_id, seq, kind, origin, origin_id, transaction_id, delta, balance_after, actor, dated_at, recorded_at,
          previous_hash, hash)
      values (
        entry.user_id, entry.seq, entry.kind, entry.origin, entry.origin_id, entry.transaction_id, entry.delta,
        entry.balance_after, entry.actor, entry.dated_at, entry.recorded_at, entry.previous_hash, entry.hash
      );
      last := entry;
    end loop;
    update public.budgets b
    set balance = last.balance_after, noted = (
      select coalesce(sum(j.delta), 0) from ledger.journal j where j.user_id = customer and j.is_note
    )
    where b.user_id = customer;
  end
  $$;`

/** Returns SQL that tampers with a transfer in a random way. */
export function transferTampering(random: Random, request: StoredRequest): string {
  const { id, status, payer, payee } = request
  const isPosted = ['done', 'returned'].includes(status)
  const customer = random.one([payer, payee ?? payer])
  const cents = 1 + random.integer(500)
  const set = (change: string) => `update public.requests set ${change} where id = '${id}';`
  const rewritten = (change: string) => `${change} select ledger.rewrite_chain('${customer}');`
  const opposite = isPosted
    ? ['waiting', 'scheduled', 'declined', 'cancelled', 'expired', 'failed']
    : ['done', 'returned']
  const ended = random.one(opposite)
  const ofRequests = [
    () =>
      set(`status = '${ended}', ended_at = ${['waiting', 'scheduled'].includes(ended) ? 'null' : 'now()'}`),
  ]
  if (!isPosted) return random.one([...ofRequests, () => rewritten(posting(customer, id, payer, cents))])()
  return random.one([
    ...ofRequests,
    () => set(`amount = amount + ${cents} * 0.01`),
    () => set(`payer = '${random.uuid()}'`),
    () => set(`payee = '${random.uuid()}'${payee === null ? ', details = null' : ''}`),
    ...(payee === null
      ? ofClearing(id, cents)
      : [() => set(`payer = payee, payee = payer`), () => onOneSide(id, payee)]),
    () => rewritten(removal(customer, id)),
    () => rewritten(change(customer, id, cents)),
    ...(status === 'done'
      ? [() => set(`status = 'returned'`)]
      : [() => set(`status = 'done'`), () => rewritten(removal(customer, correctionOf(id)))]),
  ])()
}

/** Returns functions. Each function returns SQL that changes the clearing's row for a transfer to another bank. */
function ofClearing(id: string, cents: number) {
  const where = `where transfer_id = '${id}'`
  return [
    () => `delete from private.clearing_transfers ${where};`,
    () => `update private.clearing_transfers set amount = amount + ${cents} * 0.01 ${where};`,
    () => `update private.clearing_transfers set transfer_id = gen_random_uuid() ${where};`,
  ]
}

/** Removes the payee from a transfer, as if it were a transfer to another bank. */
function onOneSide(id: string, payee: string): string {
  return `
    update public.requests set payee = null, details = '{}' where id = '${id}';
    ${removal(payee, id)} select ledger.rewrite_chain('${payee}');`
}

// Both corrections have the same id. The corrections of a closed account are deleted with the account.
const correctionOf = (id: string) =>
  `(select c.id from public.corrections c where c.corrected_id = '${id}' limit 1)`
const quoted = (id: string) => (id.startsWith('(') ? id : `'${id}'`)

/** Removes a posting and its row from the account of one customer. */
function removal(customer: string, id: string): string {
  const where = (column: string) => `where user_id = '${customer}' and ${column} = ${quoted(id)}`
  return `delete from ledger.journal ${where('transaction_id')}; delete from public.transactions ${where('id')};`
}

/** Changes the amount of a posting and of its row in the account of one customer. */
function change(customer: string, id: string, cents: number): string {
  return `
    update ledger.journal set delta = delta + sign(delta) * ${cents} * 0.01
    where user_id = '${customer}' and transaction_id = '${id}' and kind in ('deposit', 'expense');
    update public.transactions set amount = amount + ${cents} * 0.01 where user_id = '${customer}' and id = '${id}';`
}

/** Adds a posting and its row to the account of one customer, although the transfer moved no money. */
function posting(customer: string, id: string, payer: string, cents: number): string {
  const [type, delta] = customer === payer ? ['expense', -cents] : ['deposit', cents]
  return `
    insert into public.transactions (user_id, id, type, description, amount, recorded_by, origin, origin_id)
    select user_id, '${id}', '${type}', 'Transferencia', ${cents} * 0.01, 'bank', 'transfer', '${id}' from public.budgets where user_id = '${customer}';
    insert into ledger.journal
    select j.user_id, 100000, '${type}', 'transfer', '${id}', '${id}', ${delta} * 0.01, 0, null, now(), now(), j.hash, j.hash
    from ledger.journal j where j.user_id = '${customer}' order by j.seq desc limit 1;`
}
