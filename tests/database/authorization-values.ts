/** Valid values for columns and arguments, so that an attempt can fail only because of a missing right. */

/** Returns a valid value for the column or argument. */
export function valueOf(name: string, type: string): string {
  const known = values[name]
  if (known !== undefined && !(name === 'body_hash' && type === 'bytea')) return known
  if (name === 'status' && type === 'text') return "'active'"
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type.endsWith('[]')) return "'{}'"
  if (type === 'text') return "'word'"
  if (type === 'boolean') return 'true'
  if (/^(numeric|integer|bigint|smallint|double precision)/.test(type)) return '1'
  // A list that continues before a time begins with the latest row.
  if (type.startsWith('timestamp')) return name.startsWith('before_') ? "'infinity'" : 'now()'
  if (type === 'jsonb' || type === 'json') return `'{"role": "admin"}'`
  if (type === 'bytea') return `'\\x${'00'.repeat(32)}'`
  if (type.endsWith('category_rules'))
    return `jsonb_populate_record(null::public.category_rules, '{"folded": "caf", "position": 0, "created_at": "2999-01-01"}')`
  return 'null'
}

const values: Record<string, string> = {
  bank: "'1007'",
  account_kind: "'savings'",
  account_number: "'123456'",
  document: "'12345'",
  debtor_account: "'NOTPROVIDED'",
  currency: "'USD'",
  state: "'42501'",
  type: "'expense'",
  kind: "'expense'",
  role: "'admin'",
  recorded_by: "'bank'",
  idempotency_key: 'null',
  body_hash: `'${'cd'.repeat(32)}'`,
  address_mac: 'null',
  origin: "'service'",
  outcome: "'done'",
  secrets: "'{}'",
  relation: "'public.budgets'",
  reason: "'other'",
  column_name: "'user_id'",
  fields: "'{a}'",
  rows: `'[{"date": "2026-01-01", "description": "Café", "amount": 1}]'`,
  rhythm: "'weekly'",
  next_due_on: '(current_date + 7)',
  due_day: 'null',
  document_kind: "'CC'",
  document_number: "'52123456'",
  phone: "'+573001234567'",
  before_entry: '9223372036854775807',
  posted_seq: 'null',
  self_dealing: "'allow'",
  address: "'nuevo@banco.example'",
  month: 'current_date',
  kinds: "'{deposit}'",
  report: `'${JSON.stringify({
    process: '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a11',
    name: 'vm:3000',
    version: '0.3.0',
    engine: 'pglite',
    started_at: '2026-01-01',
    backup_interval_minutes: 60,
  })}'`,
  reports: "'[]'",
}
