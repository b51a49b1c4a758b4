/** Rules about transactions, categories and the ledger that only triggers can enforce. */
import type { EffectWords, Rule } from './effect-words.ts'

/** Rules about transactions and the ledger. */
export function moneyRules(words: EffectWords): Record<string, Rule[]> {
  const { customer, isNoted, notEvenTheOwner, appendOnly } = words
  return {
    'public.budgets': [
      {
        rule: 'a balance that falls below the sum is noted for the customer who chose it',
        as: customer,
        sql: `insert into public.transactions (type, description, amount) values ('expense', 'Café', 500)`,
        ...isNoted('low_balance'),
      },
    ],
    'public.transactions': [...recordedRules(words), ...changedRules(words)],
    'public.transaction_edits': [
      ...appendOnly('public.transaction_edits', 'user_id').slice(0, 2),
      notEvenTheOwner('delete the edits of an existing transaction', `delete from public.transaction_edits`),
    ],
    'ledger.journal': appendOnly('ledger.journal', 'user_id'),
    'ledger.audit': appendOnly('ledger.audit', 'target'),
    'ledger.audit_targets': appendOnly('ledger.audit_targets', 'target'),
  }
}

/** Rules about categories. */
export function categoryRules({ customer, own }: EffectWords): Record<string, Rule[]> {
  return {
    'public.categories': [
      {
        rule: 'the new name of a category applies to its transactions',
        as: customer,
        sql: `update public.categories set name = 'Animales'`,
        prepare: `update public.transactions set category = 'Mascotas' where amount = 12.5 and user_id = '${own}'`,
        see: `select category from public.transactions where amount = 12.5 and user_id = '${own}'`,
        expected: '1 row: Animales',
      },
      {
        rule: 'the deletion of a category deletes its rules',
        as: customer,
        sql: `delete from public.categories`,
        see: `select count(*) from public.category_rules where user_id = '${own}'`,
        expected: '1 row: 0',
      },
      {
        rule: 'a customer cannot have more than a hundred categories',
        as: customer,
        sql: `insert into public.categories (name) select 'Número ' || n from generate_series(1, 100) n`,
        expected: '23514',
      },
    ],
    'public.category_rules': [
      {
        rule: 'a new rule is placed after a rule with a longer text',
        as: customer,
        sql: `insert into public.category_rules (contains, category) values ('Caf', 'Viajes')`,
        see: `select category from public.category_rules where user_id = '${own}' order by position limit 1`,
        expected: '1 row: Mascotas',
      },
      {
        rule: 'a customer cannot have more than two hundred rules',
        as: customer,
        sql: `insert into public.category_rules (contains, category)
          select 'Número ' || n, 'Comida' from generate_series(1, 200) n`,
        expected: '23514',
      },
    ],
  }
}

/** Rules about transactions that are recorded and deleted. */
function recordedRules({ customer, admin, own, newId, lastEntry, isNoted }: EffectWords): Rule[] {
  return [
    {
      rule: 'a deposit of the bank is noted for the customer who chose deposits',
      as: admin,
      sql: `select private.register_transaction('${own}', 'deposit', 5, 'Nómina', now(), 'Deposito')`,
      ...isNoted('deposit'),
    },
    {
      rule: 'an expense that gets a category with a limit is noted for the customer who chose limits',
      as: customer,
      prepare: `insert into public.transactions (user_id, id, type, description, amount, category)
          values ('${own}', '${newId}', 'expense', 'Café', 1, 'Viajes')`,
      sql: `update public.transactions set category = 'Otro' where id = '${newId}'`,
      ...isNoted('spending'),
    },
    {
      rule: 'an expense moves the balance',
      as: customer,
      sql: `insert into public.transactions (type, description, amount) values ('expense', 'Café', 2)`,
      see: lastEntry,
      expected: '1 row: note -2',
    },
    {
      rule: 'the deletion of an expense reverses its effect on the balance',
      as: customer,
      sql: `delete from public.transactions where user_id = '${own}' and amount = 12.5`,
      see: lastEntry,
      expected: '1 row: reversal 12.50',
    },
  ]
}

/** Rules about the bank's transactions, and about changed ones. */
function changedRules({
  customer,
  admin,
  owner,
  own,
  lastEntry,
  isAudited,
  notEvenTheOwner,
}: EffectWords): Rule[] {
  return [
    {
      rule: 'a transaction that the bank records is audited',
      as: admin,
      sql: `select private.register_transaction('${own}', 'deposit', 5, 'Nómina', now(), 'Deposito')`,
      ...isAudited('register_transaction'),
    },
    {
      rule: 'an edit adds a journal entry with the new text',
      as: customer,
      sql: `update public.transactions set category = 'Viajes' where amount = 100`,
      see: `select j.kind || ' ' || j.delta || ' ' || (e.after ->> 'category') from ledger.journal j
          join public.transaction_edits e using (user_id, seq) where j.user_id = '${own}' order by j.seq desc limit 1`,
      expected: '1 row: edit 0 Viajes',
    },
    {
      rule: 'a customer cannot change the bank’s descriptions',
      as: customer,
      sql: `update public.transactions set description = 'Premio' where recorded_by = 'bank'`,
      expected: '42501',
    },
    {
      rule: 'a new amount of an own expense moves the balance',
      as: owner,
      sql: `update public.transactions set amount = 2 where user_id = '${own}' and amount = 12.5`,
      see: lastEntry,
      expected: '1 row: amendment -2',
    },
    notEvenTheOwner(
      'change an amount of the bank',
      `update public.transactions set amount = amount + 1 where recorded_by = 'bank'`,
    ),
    notEvenTheOwner('truncate public.transactions', `truncate public.transactions`),
  ]
}
