// A person without a session can stop one kind of notice with the link in a notice: on the page that the link opens, or
// in a mail program.
import { afterAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type QueuedNotice, noticeMail } from '#server/mail/notice-mail.ts'
import { topics } from '#server/mail/topics.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { stopToken } from '#server/tokens/stop-token.ts'
import { databaseOfFile, openSurfaces } from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
const surfaces = await openSurfaces(database, { throttle: unlimited })
afterAll(() => surfaces.close())
await owner.query(sql`select private.set_settings('{"notificaciones": "on"}')`)

const both = ['correction', 'deposit']

/**
 * Adds a customer who chose notices about deposits and corrections, and returns the token for the notices about
 * deposits.
 */
async function addListener(): Promise<{ id: string; token: string }> {
  const { id } = await surfaces.newCustomer()
  await owner.query(sql`
    delete from public.notification_preferences where user_id = ${id} and kind <> all (${`{${both.join()}}`}::text[])`)
  const [row] = await owner.query(sql<{ seed: string }>`
    insert into private.notice_marks (recipient, topic, mailed_at) values (${id}, 'deposit', now()) returning seed`)
  return { id, token: stopToken(surfaces.keys, row?.seed ?? '') }
}

const chosenBy = async (id: string) =>
  (
    await owner.query(
      sql<{
        kind: string
      }>`select kind from public.notification_preferences where user_id = ${id} order by kind`,
    )
  ).map(({ kind }) => kind)

test('the page stops the kind of notice that the token names, and reports a second press as a used link', async () => {
  const { id, token } = await addListener()
  const press = () => surfaces.ask('/verify', { body: { type: 'email', token_hash: token } })

  expect((await press()).status).toBe(200)

  expect(await chosenBy(id)).toEqual(['correction'])
  expect((await press()).status).toBe(403)
})

test('a mail program can stop the kind of notice by posting a form, without an API key', async () => {
  const { id, token } = await addListener()

  const answer = await surfaces.inject({
    method: 'POST',
    url: `/auth/v1/stop_notices?token=${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })

  expect(answer.statusCode).toBe(200)
  expect(await chosenBy(id)).toEqual(['correction'])
})

test('a customer learns by mail and in the profile that a link stopped a notice', async () => {
  const { id, token } = await addListener()
  await surfaces.ask('/verify', { body: { type: 'email', token_hash: token } })

  expect(await owner.query(sql`select kind, detail from public.notifications where user_id = ${id}`)).toEqual(
    [{ kind: 'stopped', detail: 'deposit' }],
  )
  const [row] = await owner.query(sql<{ notice: QueuedNotice }>`
    select m.notice from auth.outgoing_mails m join auth.users u on u.email = m.notice ->> 'to' where u.id = ${id}`)
  if (row === undefined) throw new Error('The database enqueued no mail.')
  const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact: '' }
  const { text } = noticeMail(
    { ...config, keys: surfaces.keys, asCalledHere: String, displayCurrency: 'USD' },
    row.notice,
  )
  expect(text).toContain('dejaste de recibir los avisos sobre depósitos')
  expect(text).toContain('https://banco.example/perfil')
})

test('a GET request to the link changes nothing, and leads to the page that asks for confirmation', async () => {
  const { id, token } = await addListener()

  const answer = await surfaces.inject({ method: 'GET', url: `/auth/v1/stop_notices?token=${token}` })

  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe(`https://banco.example/enlace#token_hash=${token}&type=stop_notices`)
  expect(await chosenBy(id)).toEqual(both)
})

test('a forged token or a token for another purpose cannot stop notices', async () => {
  const { id, token } = await addListener()
  const forged = token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

  for (const attempt of [forged, token.slice(0, 36), ''])
    expect(
      (await surfaces.inject({ method: 'POST', url: `/auth/v1/stop_notices?token=${attempt}` })).statusCode,
    ).toBe(403)
  for (const type of ['recovery', 'email_change', 'magiclink'])
    expect((await surfaces.ask('/verify', { body: { type, token_hash: token } })).status).toBe(403)

  expect(await chosenBy(id)).toEqual(both)
})

test('the mail about an enqueued event contains no amount, and the link in the mail works', async () => {
  const { id } = await addListener()
  await owner.query(sql`
    insert into public.transactions (user_id, type, amount, description, recorded_by, origin, origin_id)
    values (${id}, 'deposit', 1234.56, 'Nómina', 'bank', 'clerk', gen_random_uuid())`)
  await owner.query(
    sql`update private.notice_marks set mailed_at = now() - interval '1 hour' where recipient = ${id}`,
  )
  await owner.query(sql`select private.tell_customers(100)`)
  await owner.query(sql`select private.mail_notices(100)`)
  const [row] = await owner.query(sql<{ notice: QueuedNotice }>`
    select m.notice from auth.outgoing_mails m join auth.users u on u.email = m.notice ->> 'to' where u.id = ${id}`)
  if (row === undefined) throw new Error('The database enqueued no mail.')

  const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact: '' }
  const { text } = noticeMail(
    { ...config, keys: surfaces.keys, asCalledHere: String, displayCurrency: 'USD' },
    row.notice,
  )

  expect(text).toContain('Banco registró un depósito en tu cuenta.')
  expect(text).toMatch(/Fecha: \d{1,2} de /)
  expect(text).not.toMatch(/1.?234|Nómina/)
  const link = new URLSearchParams(/^https:\S+#(\S+)$/m.exec(text)?.[1])
  await surfaces.ask('/verify', { body: { type: 'email', token_hash: link.get('token_hash') } })
  expect(await chosenBy(id)).toEqual(['correction'])
})

test('each topic of the bank has a text, and each text has a topic', async () => {
  const rows = await owner.query(sql<{ name: string }>`select name from private.topics order by name`)
  // The authentication service itself mails about addresses, and judge_limits reads the topic `spending`.
  const others = ['begin_email_change', 'confirm_email_change', 'set_email']
  const mailed = rows.map(({ name }) => name).filter((name) => name !== 'spending')

  expect(Object.keys(topics).toSorted()).toEqual([...mailed, ...others].toSorted())
})
