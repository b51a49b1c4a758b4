// Tests the list of customers and the search of the whole bank: which users the result contains, their order, and
// the audit entry that each read adds. The authorization matrix tests the rights of all roles.
import { beforeAll, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { letPass, use } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, call, charge, deposit, expense, run } from './people.ts'

const bank = useBank()
const people = {} as Record<'laura' | 'andres' | 'angela', Person>

type Listed = {
  id: string
  full_name: string | null
  email: string
  role: string
  last_sign_in_at: string | null
  balance: number
  last_description: string | null
}
type List = {
  total: number | null
  overdrawn: number | null
  blocked: number | null
  unconfirmed: number | null
  customers: Listed[]
  end_key: string | null
  end_id: string | null
}
type Found = { user_id: string; description: string; amount: number }

beforeAll(async () => {
  for (const [key, name] of [
    ['laura', 'Laura Restrepo'],
    ['andres', 'Andrés Felipe Gómez'],
    ['angela', 'Ángela Prieto 100%'],
  ] as const) {
    const person = await addPerson(bank.database, 'user')
    people[key] = person
    await bank.asService(
      sql`update auth.users set
            email = ${`${key}@correo.co`}, email_confirmed_at = now(),
            raw_user_meta_data = jsonb_build_object('full_name', ${name}::text)
          where id = ${person.id}`,
    )
  }
  await run(bank.administrator, deposit(people.laura, '1450000'))
  await run(bank.administrator, charge(people.andres, '20'))
  await run(people.laura, expense(people.laura, '12.50'))
})

const list = (called: SqlStatement) => call<List>(bank.administrator, called)
const searched = (search: string) => list(sql`public.list_customers(${search})`)
const names = ({ customers }: List) => customers.map(({ full_name: name }) => name)

const search = (text: string, amount: string | null = null) =>
  call<{ customers: Listed[]; transactions: Found[] }>(
    bank.administrator,
    sql`public.search_bank(${text}, ${amount}::numeric)`,
  )

test('the list agrees with the specified read of the users', async () => {
  const [specified] = await run(
    bank.administrator,
    sql<{ rows: object[] }>`select json_agg(
          jsonb_build_object(
            'id', p.id, 'full_name', p.full_name, 'role', p.role, 'email', s.email, 'last_sign_in_at', s.last_sign_in_at
          ) order by p.id
        ) as rows
        from public.profiles p join public.user_safe s on s.id = p.id`,
  )
  const { customers } = await list(sql`public.list_customers(rows_max => 100)`)

  const listed = customers
    .map(({ id, full_name, role, email, last_sign_in_at }) => ({
      id,
      full_name,
      role,
      email,
      last_sign_in_at,
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  expect(listed).toEqual(specified?.rows)
})

const lastEntry = async () => {
  const [entry] = await bank.owner.query(
    sql<{
      id: string
      action: string
    }>`select id::text, action from ledger.audit order by ledger.audit.id desc limit 1`,
  )
  return entry
}

test.each([
  ['restrepo laura', ['Laura Restrepo']],
  ['ANGELA', ['Ángela Prieto 100%']],
  ['gómez cliente correo.co', ['Andrés Felipe Gómez']],
  ['0%', ['Ángela Prieto 100%']],
  ['a_a', []],
  ['laura gomez', []],
])('the customer list finds %s in any order and regardless of case and accents', async (text, found) => {
  expect(names(await searched(text))).toEqual(found)
})

test('the customer list finds a user by the beginning of their id', async () => {
  expect(names(await searched(people.laura.id.slice(0, 13)))).toEqual(['Laura Restrepo'])
})

test.each(['3001234567', '300 123 4567', '+57 300 123-4567', '573001234567'])(
  'the customer list finds a user by the telephone number %s',
  async (text) => {
    await bank.owner.query(sql`
      update public.account_holders set phone = '+573001234567' where user_id = ${people.laura.id}`)

    expect(names(await searched(text))).toEqual(['Laura Restrepo'])
    expect(names(await searched(text.slice(0, -1)))).toEqual([])
  },
)

test('the customer list shows the balance and the newest transaction of each user', async () => {
  const { customers } = await searched('laura')

  expect(customers).toMatchObject([{ balance: 1449987.5, last_description: 'Café' }])
})

test.each([
  ['name', false, ['Andrés Felipe Gómez', 'Ángela Prieto 100%', 'Laura Restrepo']],
  ['name', true, ['Laura Restrepo', 'Ángela Prieto 100%', 'Andrés Felipe Gómez']],
  ['balance', false, ['Andrés Felipe Gómez', 'Ángela Prieto 100%', 'Laura Restrepo']],
  ['balance', true, ['Laura Restrepo', 'Ángela Prieto 100%', 'Andrés Felipe Gómez']],
  ['last_transaction', true, ['Laura Restrepo', 'Andrés Felipe Gómez', 'Ángela Prieto 100%']],
  ['email', true, ['Laura Restrepo', 'Ángela Prieto 100%', 'Andrés Felipe Gómez']],
])(
  'an administrator can sort the customer list by %s (descending: %s)',
  async (sort, isDescending, sorted) => {
    const all = await list(sql`public.list_customers('', 'user', ${sort}, ${isDescending})`)

    expect(names(all)).toEqual(sorted)
  },
)

test('the customer list can show only customers in one state, and counts the customers in each state', async () => {
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 day' where id = ${people.angela.id}`,
  )
  const only = (state: string) => list(sql`public.list_customers('', ${state})`)

  expect(await only('overdrawn')).toMatchObject({ total: 1, overdrawn: 1, blocked: 1, unconfirmed: 1 })
  expect(names(await only('overdrawn'))).toEqual(['Andrés Felipe Gómez'])
  expect(names(await only('blocked'))).toEqual(['Ángela Prieto 100%'])
  expect(names(await only('admin'))).toEqual(names(await only('unconfirmed')))
  expect((await only('')).total).toBe(4)
})

test.each(['name', 'email', 'role', 'balance', 'last_sign_in', 'last_transaction'])(
  'the customer list in the order %s shows each user on exactly one page, in both directions',
  async (sort) => {
    const directions: string[][] = []
    for (const isDescending of [false, true]) {
      const read: List[] = []
      let after: Key = [null, null]
      do {
        const page: List = await list(
          sql`public.list_customers('', '', ${sort}, ${isDescending}, ${after[0]}, ${after[1]}, 1)`,
        )
        read.push(page)
        after = [page.end_key, page.end_id]
      } while (after[1] !== null && read.length < 10)
      directions.push(read.flatMap(({ customers }) => customers.map(({ id }) => id)))
      expect(read.map(({ total }) => total)).toEqual([4, null, null, null])
    }
    const [ascending = [], descending = []] = directions

    expect(new Set(ascending).size).toBe(4)
    expect(descending).toEqual(ascending.toReversed())
  },
)

test('the customer list adds one audit entry per session and hour', async () => {
  const entries = () =>
    bank.owner.query(sql`select from ledger.audit where action = 'list_customers' and target is null`)
  await searched('laura')
  await searched('andres')
  expect(await entries()).toHaveLength(1)

  const other = await administratorInNewSession()
  await run(other, sql`select public.list_customers()`)
  expect(await entries()).toHaveLength(2)

  // Within an hour after the first entry, the next one is due.
  for (const [parts, count] of [
    [59, 2],
    [1, 3],
  ] as const) {
    await letPass(bank, 'listing shown', `${other.sessionId} list_customers`, parts)
    await run(other, sql`select public.list_customers()`)
    expect(await entries()).toHaveLength(count)
  }
})

test('the search of the whole bank finds users, and finds transactions by the beginning of their description', async () => {
  expect(await search('laura')).toMatchObject({
    customers: [{ full_name: 'Laura Restrepo' }],
    transactions: [],
  })
  expect(await search('NOMI')).toMatchObject({
    customers: [],
    transactions: [{ user_id: people.laura.id, description: 'Nómina', amount: 1450000 }],
  })
  expect((await search('no')).transactions).toEqual([])
})

test('the search of the whole bank finds transactions by their exact amount', async () => {
  expect((await search('', '12.5')).transactions).toMatchObject([{ description: 'Café' }])
  expect((await search('', '12.51')).transactions).toEqual([])
})

test('the search of the whole bank adds an audit entry with the customers whose transactions were found', async () => {
  await search('Cuota')

  const entry = await lastEntry()
  expect(entry?.action).toBe('search_transactions')
  const seen = await run(
    bank.administrator,
    sql`select id::text, action, target, after from public.audit_of(${people.andres.id}) limit 1`,
  )
  expect(seen).toEqual([
    { id: entry?.id, action: 'search_transactions', target: people.andres.id, after: { lines: 1 } },
  ])
  await search('nadie')
  expect(await lastEntry()).toEqual(entry)
})

test('the search of the whole bank is refused after a session has caused 600 audit entries in ten minutes', async () => {
  const administrator = await administratorInNewSession()
  await use(bank, 'search', administrator.sessionId, 599)
  await run(administrator, sql`select public.search_bank('nadie')`)
  await run(administrator, sql`select public.search_bank('Nómina')`)

  await expect(run(administrator, sql`select public.search_bank('Cuota')`)).rejects.toMatchObject({
    sqlState: 'PT429',
  })
})

function administratorInNewSession(): Promise<Person> {
  return addPerson(bank.database, 'admin')
}

test('the search for transactions knows typographic quotes and dashes', async () => {
  await run(
    people.laura,
    sql`insert into public.transactions (user_id, type, description, amount)
        values (${people.laura.id}, 'expense', 'Pago “El Sol” – abril', 7.77)`,
  )

  for (const text of ['pago "el sol" - ab', 'Pago «El Sol» —'])
    expect(
      (await search(text)).transactions.map(({ description }) => description),
      text,
    ).toEqual(['Pago “El Sol” – abril'])
})

test('a customer whose own notes alone make the balance negative is not among the negative balances', async () => {
  const customer = await addPerson(bank.database, 'user')
  await run(customer, expense(customer, '3'))
  const only = await list(sql`public.list_customers('', 'overdrawn')`)

  expect(only).toMatchObject({ total: 1, overdrawn: 1 })
  expect(names(only)).toEqual(['Andrés Felipe Gómez'])
})

test('the counts of the whole bank alone add no audit entry, and a search always adds one', async () => {
  const clerk = await administratorInNewSession()
  const entries = () =>
    bank.owner.query(sql`select from ledger.audit where actor = ${clerk.id} and action = 'list_customers'`)

  const counts = await call<List>(clerk, sql`public.list_customers(rows_max => 0)`)
  expect(counts).toMatchObject({ overdrawn: 1, customers: [] })
  expect(await entries()).toEqual([])
  await run(clerk, sql`select public.list_customers('laura', rows_max => 0)`)
  expect(await entries()).toHaveLength(1)
})

type Key = [key: string | null, id: string | null]
type Page = { ids: string[]; keys: string[]; total: number | null; blocked: number | null }

/** Finds people as in a bank that has more users than a search reads in the order of the list. */
async function findInLargeBank(
  { search = '', state = '', sort = 'name', isDescending = false },
  { readMax, after = [null, null], rowsMax = 100 }: { readMax: number; after?: Key; rowsMax?: number },
): Promise<Page> {
  const [row] = await bank.owner.query(sql<{ page: Page }>`
    select to_jsonb(private.find_people(
      ${search}, ${state}, ${sort}, ${isDescending}, ${after[0]}, ${after[1]}, ${rowsMax}::integer, ${readMax}::integer
    )) as page`)
  if (row === undefined) throw new Error('The search did not answer.')
  return row.page
}

test.each([
  '',
  'laura',
  'an',
  'a',
  'cliente',
  'admin',
  'correo.co ang',
  '0%',
  'ente laura',
  'nadie',
  '+57 300 123 4567',
])('a large bank finds the same users for “%s” as a small bank', async (search) => {
  await bank.owner.query(
    sql`update public.account_holders set phone = '+573001234567' where user_id = ${people.laura.id}`,
  )
  for (const state of ['', 'user', 'admin', 'overdrawn', 'blocked', 'unconfirmed'])
    for (const sort of ['name', 'email', 'role', 'balance', 'last_sign_in', 'last_transaction']) {
      const wanted = { search, state, sort, isDescending: sort === 'balance' }
      const small = await findInLargeBank(wanted, { readMax: 5000 })
      const large = await findInLargeBank(wanted, { readMax: 2 })
      expect([state, sort, large.ids], search).toEqual([state, sort, small.ids])
      if (large.total !== null) expect([state, sort, large.total]).toEqual([state, sort, small.total])
    }
})

test('a search in a large bank reads each further page from the key of the page before', async () => {
  for (const readMax of [1, 2, 5000]) {
    const all = await findInLargeBank({ search: 'o', sort: 'email' }, { readMax })
    const read: string[] = []
    let after: Key = [null, null]
    for (;;) {
      const page = await findInLargeBank({ search: 'o', sort: 'email' }, { readMax, after, rowsMax: 1 })
      if (page.ids.length === 0) break
      read.push(...page.ids)
      after = [page.keys[0] ?? null, page.ids[0] ?? null]
    }
    expect(read).toEqual(all.ids)
    expect(read.length).toBeGreaterThan(2)
  }
})

test('a search finds a user by their new name and address and role and state as soon as they change', async () => {
  const person = await addPerson(bank.database, 'user')
  const change = (set: string) =>
    bank.asService({ text: `update auth.users set ${set} where id = $1`, values: [person.id] })
  const foundBy = async (search: string, state = '') =>
    (await findInLargeBank({ search, state }, { readMax: 1 })).ids.includes(person.id)

  await change(`raw_user_meta_data = '{"full_name": "Zoraida Quñones"}', email_confirmed_at = now()`)
  expect([await foundBy('qunones zoraida'), await foundBy('', 'unconfirmed')]).toEqual([true, false])
  await change(`email = 'wxyz@correo.co', email_confirmed_at = null`)
  expect([await foundBy('wxyz@'), await foundBy('', 'unconfirmed')]).toEqual([true, true])
  await change(`banned_until = now() + interval '1 day'`)
  expect(await foundBy('zoraida', 'blocked')).toBe(true)
  await change(`banned_until = null`)
  expect(await foundBy('zoraida', 'blocked')).toBe(false)
})

test('the order by newest transaction follows deletions, restorations and changed dates', async () => {
  const customer = await addPerson(bank.database, 'user')
  const lastOf = async () => {
    const [row] = await bank.owner.query(sql<{ agrees: boolean; last: string }>`
      select l.last_at::text as last, l.last_at = coalesce(max(t.date), '-infinity') and l.balance = b.balance as agrees
      from private.listed_accounts l
      join public.budgets b on b.user_id = l.user_id
      left join public.transactions t on t.user_id = l.user_id
      where l.user_id = ${customer.id} group by l.last_at, l.balance, b.balance`)
    return row
  }
  expect(await lastOf()).toEqual({ agrees: true, last: '-infinity' })
  await run(customer, expense(customer, '3'))
  await run(bank.administrator, deposit(customer, '10'))
  const newest = await lastOf()
  expect(newest?.agrees).toBe(true)
  await run(customer, sql`delete from public.transactions where type = 'deposit'`)
  const before = await lastOf()
  expect(before).toMatchObject({ agrees: true })
  expect(before?.last).not.toBe(newest?.last)
  const [deleted] = await bank.owner.query(
    sql<{ id: string }>`select id from ledger.deleted_transactions where user_id = ${customer.id}`,
  )
  await run(customer, sql`select public.restore_transaction(${deleted?.id ?? ''})`)
  expect(await lastOf()).toEqual(newest)
})
