// The name of an account holder. With a document, or after a correction by staff, the name is the bank's and the
// customer cannot change it. Until then the name is the one that the customer typed.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, call, run } from './people.ts'
import { enableTransfers, request } from './transfers.ts'
import { waitingRequests } from './decisions.ts'
import { clearing, closeFile, readFile } from './clearing.ts'
import { addHolder, befriend, payerElsewhere } from './beneficiaries.ts'

const bank = useBank()
beforeAll(() => enableTransfers(bank))

const correct = (person: Person, name: string, number: string | null, phone: string | null = null) =>
  run(
    bank.administrator,
    sql`select public.correct_holder(
      ${person.id}, ${name}, ${number === null ? null : 'CC'}, ${number}, ${phone})`,
  )

/** Changes the name as the authentication service does: `updateUser`, a second sign-up, or the admin API. */
const rename = (person: Person, name: string) =>
  bank.asService(sql`
    update auth.users
    set raw_user_meta_data = raw_user_meta_data || jsonb_build_object('full_name', ${name}::text)
    where id = ${person.id}`)

async function namesOf(person: Person) {
  const [names] = await bank.owner.query(sql`
    select p.full_name as shown, h.full_name as verified, u.raw_user_meta_data ->> 'full_name' as greeting
    from public.profiles p join public.account_holders h on h.user_id = p.id join auth.users u on u.id = p.id
    where p.id = ${person.id}`)
  return names
}

let lastNumber = 70_100_000
const newDocument = () => String((lastNumber += 1))

test('a customer without a document can change the name', async () => {
  const customer = await addHolder(bank, '0')
  await correct(customer, 'Ana Pérez', null, '+573001234567')
  await rename(customer, 'Anita Pérez')

  expect(await namesOf(customer)).toEqual({
    shown: 'Anita Pérez',
    verified: null,
    greeting: 'Anita Pérez',
  })
})

test('a customer with a document changes only how the page greets them', async () => {
  const customer = await addHolder(bank, '0')
  await correct(customer, 'Ana Pérez', newDocument())
  await rename(customer, 'Anita')

  expect(await namesOf(customer)).toEqual({ shown: 'Ana Pérez', verified: 'Ana Pérez', greeting: 'Anita' })
})

test('a customer whose name staff corrected changes only how the page greets them', async () => {
  const customer = await addHolder(bank, '0')
  await correct(customer, 'Ana María Pérez', null)
  await rename(customer, 'Banco de la República')

  expect(await namesOf(customer)).toEqual({
    shown: 'Ana María Pérez',
    verified: 'Ana María Pérez',
    greeting: 'Banco de la República',
  })
})

test('a verified name stays the one of the bank after staff remove the document', async () => {
  const customer = await addHolder(bank, '0')
  await correct(customer, 'Ana Pérez', newDocument())
  await correct(customer, 'Ana Pérez', null)
  await rename(customer, 'Otra Persona')

  expect(await namesOf(customer)).toMatchObject({ shown: 'Ana Pérez', verified: 'Ana Pérez' })
})

test('a document never stands beside a name that the customer typed', async () => {
  const customer = await addHolder(bank, '0')

  await expect(
    bank.owner.query(sql`
      update public.account_holders set document_kind = 'CC', document_number = ${newDocument()}
      where user_id = ${customer.id}`),
  ).rejects.toMatchObject({ constraint: 'account_holders_document_has_a_name' })
})

test('a receipt has the verified name', async () => {
  const customer = await addHolder(bank)
  const [deposit] = await run<{ id: string }>(customer, sql`select id from public.transactions`)
  const receipt = () => call(customer, sql`public.receipt(${deposit?.id ?? ''})`)
  await rename(customer, 'Anita')
  expect(await receipt()).toMatchObject({ holder_name: 'Anita', holder_is_verified: false })
  await correct(customer, 'Ana Pérez', newDocument())
  await rename(customer, 'Banco de la República')

  expect(await receipt()).toMatchObject({ holder_name: 'Ana Pérez', holder_is_verified: true })
})

test('a clearing file has the verified name and the document of the payer', async () => {
  if ((await clearing(bank.administrator)).waiting > 0) await closeFile(bank.administrator)
  const { payer, beneficiary } = await payerElsewhere(bank)
  const document = newDocument()
  await correct(payer, 'Carmen Verificada', document)
  await rename(payer, 'Banco de la República')
  await request(payer, beneficiary, '10')

  const { number } = await closeFile(bank.administrator)

  const { csv, xml } = await readFile(bank.administrator, number)
  expect(csv?.split('\r\n')[1]).toContain(`;10.00;USD;Carmen Verificada;CC;${document};`)
  expect(xml).toContain(
    `<UltmtDbtr><Nm>Carmen Verificada</Nm><Id><PrvtId><Othr><Id>${document}</Id><SchmeNm><Prtry>CC</Prtry></SchmeNm></Othr></PrvtId></Id></UltmtDbtr>`,
  )
})

test('a clearing file has no document of a payer whose document the bank does not know', async () => {
  if ((await clearing(bank.administrator)).waiting > 0) await closeFile(bank.administrator)
  const { payer, beneficiary } = await payerElsewhere(bank)
  await request(payer, beneficiary, '10')

  const { number } = await closeFile(bank.administrator)

  const { csv, xml } = await readFile(bank.administrator, number)
  expect(csv?.split('\r\n')[1]).toContain(';10.00;USD;Ana Perez;;;')
  expect(xml).toContain('<UltmtDbtr><Nm>Ana Perez</Nm></UltmtDbtr>')
})

test('the queue of requests has the verified names and the documents of the two customers', async () => {
  const [payer, payee] = [await addHolder(bank), await addHolder(bank, '0')]
  const [ofPayer, ofPayee] = [newDocument(), newDocument()]
  await correct(payer, 'Carmen Verificada', ofPayer)
  await correct(payee, 'Luis Verificado', ofPayee)
  await rename(payer, 'Nómina Acme')
  await rename(payee, 'Nómina Acme')
  const { id } = await request(payer, await befriend(payer, payee), '500')

  const listed = (await waitingRequests(bank.administrator)).requests.find((each) => each.id === id)

  expect(listed).toMatchObject({
    payer_name: 'Carmen Verificada',
    payer_document: `CC ${ofPayer}`,
    payee_name: 'Luis Verificado',
    payee_document: `CC ${ofPayee}`,
  })
})
