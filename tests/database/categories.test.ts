// A customer's categories and category rules, and their effect on transactions. The authorization matrix tests that
// other users cannot use these categories and rules.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { fold } from '@finanzas/contract/format/fold.ts'
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { type Person, correct, record, run } from './people.ts'

const bank = useBank()

const add = (person: Person, description: string, category: string | null) =>
  record(
    person,
    sql`insert into public.transactions (user_id, type, description, amount, category)
        values (${person.id}, 'expense', ${description}, 1, ${category}) returning id`,
  )
const keep = (person: Person, name: string) =>
  run(person, sql`insert into public.categories (name) values (${name})`)
const rename = (person: Person, name: string, newName: string) =>
  run(person, sql`update public.categories set name = ${newName} where name = ${name}`)
const rule = (person: Person, contains: string, category: string) =>
  record(
    person,
    sql`insert into public.category_rules (contains, category) values (${contains}, ${category}) returning id`,
  )
const count = async (person: Person, id: string) =>
  (
    await run(
      person,
      sql<{ rows: number }>`
        select public.count_rule_matches(contains, category)::int as rows from public.category_rules where id = ${id}`,
    )
  )[0]?.rows
const apply = async (person: Person, id: string) =>
  (await run(person, sql<{ entries: number }>`select entries from public.apply_category_rule(${id})`))[0]
    ?.entries
const undo = (person: Person, id: string) => run(person, sql`select public.undo_category_rule(${id})`)

const filed = async (person: Person) =>
  (
    await run(
      person,
      sql<{ filed: string }>`select description || ': ' || coalesce(category, '–') as filed
        from public.transactions order by description, amount`,
    )
  ).map((row) => row.filed)
const rules = async (person: Person) =>
  (
    await run(
      person,
      sql<{ rule: string }>`select contains || ' → ' || category as rule
        from public.category_rules order by position, created_at desc`,
    )
  ).map((row) => row.rule)
const entries = async ({ id }: Person, kind: string) =>
  (await bank.owner.query(sql`select from ledger.journal where user_id = ${id} and kind = ${kind}`)).length

test('a category’s name is unique for its customer, regardless of case and accents', async () => {
  const customer = await bank.addCustomer()
  await keep(customer, 'Jardín')

  await expect(keep(customer, 'jardin')).rejects.toMatchObject({ sqlState: '23505' })
  await keep(await bank.addCustomer(), 'jardin')
})

test.for(['', '  ', 'a'.repeat(51), 'a\nb', '\u200b', 'e\u0301'])(
  'a category cannot be named %j',
  async (name) => {
    const customer = await bank.addCustomer()

    await expect(keep(customer, name)).rejects.toMatchObject({ sqlState: '23514' })
    await expect(add(customer, 'Café', name)).rejects.toMatchObject({ sqlState: '23514' })
  },
)

test('renaming a category also changes transactions, rules and recurring expenses', async () => {
  const customer = await bank.addCustomer()
  const other = await bank.addCustomer()
  await keep(customer, 'Mascotas')
  await rule(customer, 'Gabrica', 'Mascotas')
  await run(
    customer,
    sql`select public.save_recurring_expense(${randomUUID()}, 'Seguro', 9, 'monthly', (now() + interval '9 days')::date, 'Mascotas')`,
  )
  for (const person of [customer, customer, other]) await add(person, 'Veterinaria', 'Mascotas')
  await add(customer, 'Taxi', 'Transporte')

  await rename(customer, 'Mascotas', 'Animales')

  expect(await filed(customer)).toEqual([
    'Taxi: Transporte',
    'Veterinaria: Animales',
    'Veterinaria: Animales',
  ])
  expect(await filed(other)).toEqual(['Veterinaria: Mascotas'])
  expect(await rules(customer)).toEqual(['Gabrica → Animales'])
  expect(await run(customer, sql`select category from public.recurring_expenses`)).toEqual([
    { category: 'Animales' },
  ])
  expect(await entries(customer, 'edit')).toBe(2)
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a category cannot take the name of another category that the customer has added', async () => {
  const customer = await bank.addCustomer()
  for (const name of ['Mascotas', 'Jardín']) await keep(customer, name)
  await add(customer, 'Veterinaria', 'Mascotas')

  await expect(rename(customer, 'Mascotas', 'Jardín')).rejects.toMatchObject({ sqlState: '23505' })

  expect(await filed(customer)).toEqual(['Veterinaria: Mascotas'])
})

test('a deleted category remains in transactions, but its rules are deleted', async () => {
  const customer = await bank.addCustomer()
  await keep(customer, 'Mascotas')
  await rule(customer, 'Gabrica', 'Mascotas')
  await rule(customer, 'Éxito', 'Comida')
  await add(customer, 'Gabrica', 'Mascotas')

  await run(customer, sql`delete from public.categories where name = 'Mascotas'`)

  expect([await filed(customer), await rules(customer)]).toEqual([['Gabrica: Mascotas'], ['Éxito → Comida']])
})

test('a customer cannot add more than a hundred categories', async () => {
  const customer = await bank.addCustomer()
  const many = sql`insert into public.categories (name) select 'Número ' || n from generate_series(1, 100) n`
  await run(customer, many)

  await expect(keep(customer, 'Otra más')).rejects.toMatchObject({
    sqlState: '23514',
    message: 'Caben 100 como máximo.',
  })
  await keep(await bank.addCustomer(), 'Otra más')
})

test('a category that is renamed to a default category gets that category’s limit', async () => {
  const customer = await bank.addCustomer()
  const limits = () =>
    run(customer, sql`select category, monthly_limit::text as l from public.category_budgets`)
  await keep(customer, 'Mascotas')
  await run(
    customer,
    sql`select public.set_category_budget('Mascotas', 10), public.set_category_budget('Salud', 20)`,
  )

  await rename(customer, 'Mascotas', 'Salud')

  expect(await limits()).toEqual([{ category: 'Salud', l: '20' }])
})

test('a new rule precedes all rules except rules whose text contains the new text, until the customer moves the rule', async () => {
  const customer = await bank.addCustomer()
  const first = await rule(customer, 'Éxito gas', 'Transporte')
  await rule(customer, 'Uber', 'Transporte')
  await rule(customer, 'exito', 'Comida')
  await rule(customer, 'Rappi', 'Comida')
  expect(await rules(customer)).toEqual([
    'Rappi → Comida',
    'Uber → Transporte',
    'Éxito gas → Transporte',
    'exito → Comida',
  ])

  const ids = await run(customer, sql<{ id: string }>`select id from public.category_rules order by contains`)
  const order = [first, ...ids.map(({ id }) => id).filter((id) => id !== first)]
  await run(customer, sql`select public.order_category_rules(${`{${order.join()}}`}::uuid[])`)

  expect((await rules(customer))[0]).toBe('Éxito gas → Transporte')
})

test('a rule cannot store a count of changed transactions that is outside the limits', async () => {
  const customer = await bank.addCustomer()
  await rule(customer, 'Taxi', 'Transporte')

  for (const many of [0, 10_001])
    await expect(
      run(customer, sql`update public.category_rules set first_seq = 1, entries = ${many}`),
    ).rejects.toMatchObject({ sqlState: '23514' })
})

test.for(['-1', '10001', '0.25', 'NaN', 'Infinity', '1e131071'])(
  'a rule cannot have the position %s',
  async (place) => {
    const customer = await bank.addCustomer()
    await rule(customer, 'Taxi', 'Transporte')

    await expect(
      run(customer, sql`update public.category_rules set position = ${place}`),
    ).rejects.toMatchObject({ sqlState: '23514' })
  },
)

test('a rule must have a unique text of at least two characters', async () => {
  const customer = await bank.addCustomer()
  await rule(customer, 'Éxito', 'Comida')

  await expect(rule(customer, 'EXITO', 'Compras')).rejects.toMatchObject({ sqlState: '23505' })
  await expect(rule(customer, 'e', 'Compras')).rejects.toMatchObject({ sqlState: '23514' })
})

test('a rule categorizes existing expenses that no earlier rule matches', async () => {
  const customer = await bank.addCustomer()
  await rule(customer, 'Éxito gas', 'Transporte')
  const id = await rule(customer, 'éxito', 'Comida')
  await add(customer, 'COMPRA EXITO CALLE 80', null)
  await add(customer, 'Compra Éxito', 'Compras')
  await add(customer, 'Éxito', 'Comida')
  await add(customer, 'Éxito gas', 'Otro')
  await add(customer, 'Carulla', 'Otro')
  for (const description of ['Reembolso Éxito', 'Éxito por error']) {
    const recorded = await record(
      bank.administrator,
      sql`select private.register_transaction(${customer.id}, 'deposit', 2, ${description}, now(), 'Deposito') ->> 'id' as id`,
    )
    if (description.endsWith('error')) await run(bank.administrator, correct(customer, recorded))
  }

  expect(await count(customer, id)).toBe(2)
  expect(await apply(customer, id)).toBe(2)

  expect(await filed(customer)).toEqual([
    'COMPRA EXITO CALLE 80: Comida',
    'Carulla: Otro',
    'Compra Éxito: Comida',
    'Corrección: Éxito por error: Corrección',
    'Reembolso Éxito: Deposito',
    'Éxito: Comida',
    'Éxito gas: Otro',
    'Éxito por error: Deposito',
  ])
  expect([await entries(customer, 'edit'), await count(customer, id)]).toEqual([2, 0])
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a customer can undo a rule once, but not for transactions whose category was changed later', async () => {
  const customer = await bank.addCustomer()
  const id = await rule(customer, 'café', 'Comida')
  const moved = await add(customer, 'Café 1', 'Otro')
  await add(customer, 'Café 2', null)
  await add(customer, 'Café 3', 'Compras')
  await apply(customer, id)
  await apply(customer, id)
  await run(customer, sql`update public.transactions set category = 'Viajes' where id = ${moved}`)

  await undo(customer, id)
  await run(customer, sql`update public.transactions set category = 'Comida' where description = 'Café 2'`)
  await undo(customer, id)

  expect(await filed(customer)).toEqual(['Café 1: Viajes', 'Café 2: Comida', 'Café 3: Compras'])
})

test('a rule and the count for it know typographic quotes and dashes', async () => {
  const customer = await bank.addCustomer()
  await add(customer, "McDonald's Calle 72", null)
  await add(customer, 'Tienda “El Sol” – Bogotá', null)
  const counted = (text: string) =>
    run(customer, sql`select public.count_rule_matches(${text}, null)::int as rows`)

  for (const text of ['McDonald’s', 'Tienda "El Sol" - Bogotá', 'tienda «el sol» —'])
    expect(await counted(text), text).toEqual([{ rows: 1 }])
  expect(await count(customer, await rule(customer, 'McDonald’s', 'Comida'))).toBe(1)
})

test('the database and the page fold texts alike', async () => {
  const between = (first: number, last: number) =>
    String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
  const signs = [between(0x20, 0x7e), between(0xa0, 0xbf), between(0x2000, 0x206f), '\u02BC\u2212'].join('')
  const text = `${signs}áéíóúüñçÁÉÍÓÚÜÑÇàèìòùâêîôûÀÈÌÒÙÂÊÎÔÛ`

  const [row] = await bank.owner.query(sql<{ folded: string }>`select private.folded(${text}) as folded`)

  expect(row?.folded).toBe(fold(text))
})

test('the count for a new rule leaves out expenses that earlier rules match', async () => {
  const customer = await bank.addCustomer()
  await rule(customer, 'éxito gas', 'Transporte')
  for (const category of ['Comida', 'Otro', null]) await add(customer, 'ÉXITO 80', category)
  await add(customer, 'Éxito gas', 'Otro')
  await add(await bank.addCustomer(), 'Éxito', 'Otro')
  const counted = (category: string | null) =>
    run(customer, sql`select public.count_rule_matches('exito', ${category})::int as rows`)

  expect(await counted(null)).toEqual([{ rows: 3 }])
  expect(await counted('Comida')).toEqual([{ rows: 2 }])
  expect(await count(customer, await rule(customer, 'Éxito', 'Comida'))).toBe(2)
})

test('a customer cannot apply or undo another customer’s rule', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const id = await rule(customer, 'café', 'Comida')
  for (const person of [customer, other]) await add(person, 'Café', 'Otro')

  for (const act of [apply, undo]) {
    await expect(act(other, id)).rejects.toMatchObject({ sqlState: 'PT404' })
    await expect(act(customer, randomUUID())).rejects.toMatchObject({ sqlState: 'PT404' })
  }

  expect([await filed(customer), await filed(other)]).toEqual([['Café: Otro'], ['Café: Otro']])
})

test('one rule can change ten thousand transactions, and a customer can change twenty thousand per day with rules', async () => {
  const customer = await bank.addCustomer()
  const rows = Array.from({ length: 10_000 }, () => ({
    date: '2026-01-15',
    description: 'Café',
    amount: 1,
    category: 'Otro',
  }))
  await run(customer, sql`select public.import_transactions(${randomUUID()}, ${JSON.stringify(rows)})`)
  await add(customer, 'Café', 'Otro')
  const id = await rule(customer, 'café', 'Comida')

  expect(await apply(customer, id)).toBe(10_000)
  await undo(customer, id)
  expect(await count(customer, id)).toBe(10_001)

  await expect(apply(customer, id)).rejects.toMatchObject({
    sqlState: 'PT429',
    message: 'Ya hiciste el máximo de cambios de 24 horas (20000).',
  })
  await add(customer, 'Almuerzo', 'Comida')
  expect(await count(customer, id)).toBe(10_001)
})

test('a rule matches only the newest twenty thousand transactions, and a rename fails above ten thousand transactions', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount, category)
    select ${customer.id}, 'expense', 'Taxi', 1, 'Calle' from generate_series(1, 20001)`)
  await keep(customer, 'Calle')

  expect(await count(customer, await rule(customer, 'taxi', 'Transporte'))).toBe(20_000)
  await expect(rename(customer, 'Calle', 'Vía')).rejects.toMatchObject({
    sqlState: 'PT409',
    message: 'La categoría tiene más movimientos de los que se pueden cambiar a la vez (10000).',
  })
})

test('a rule reads at most a million bytes of long descriptions', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount)
    select ${customer.id}, 'expense', repeat('á', 200), 1 from generate_series(1, 2501)`)

  expect(await count(customer, await rule(customer, 'aa', 'Otro'))).toBe(2500)
})

test('the last of two hundred rules matches only the newest thousand transactions that contain its text', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount)
    select ${customer.id}, 'expense', 'Taxi', 1 from generate_series(1, 1500)`)
  const id = await rule(customer, 'taxi', 'Transporte')
  await run(
    customer,
    sql`insert into public.category_rules (contains, category)
        select 'Tienda ' || n, 'Otro' from generate_series(1, 199) n`,
  )

  expect(await count(customer, id)).toBe(1000)
})

test('a rule’s text can be changed, but not to thousands of combining marks', async () => {
  const customer = await bank.addCustomer()
  await add(customer, 'Café', null)
  const id = await rule(customer, 'Té', 'Comida')
  // These combining marks are not in canonical order, and sorting them takes quadratic time.
  const marks = '\u0301'.repeat(15_000) + '\u0323'.repeat(15_000)
  const change = (contains: string) =>
    run(customer, sql`update public.category_rules set contains = ${contains} where id = ${id}`)

  await expect(rule(customer, marks, 'Otro')).rejects.toMatchObject({ sqlState: '23514' })
  await expect(change(marks)).rejects.toMatchObject({ sqlState: '23514' })
  expect(await count(customer, id)).toBe(0)
  await change('CAFÉ')
  expect(await count(customer, id)).toBe(1)
})
