// Tests the invitations of customers whose accounts were opened with a file. The server sends a few invitations in each
// interval, but sends none before staff start them.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { oneTimeTokenHash } from '#server/people/one-time-tokens.ts'
import { inviteSome } from '#server/jobs/invite-customers.ts'
import type { Mail } from '#server/mail/mail-page.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { MailQueue } from '#server/mail/mail-queue.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { postAll } from './batches.ts'
import { useBank } from './database.ts'
import { addPerson, ageProof, call, run, setRole } from './people.ts'

const bank = useBank()

/** A mail server that keeps all mails. If `isBroken` is true, the server refuses all mails. */
function mailServer(): Mailer & { mails: Mail[]; isBroken: boolean } {
  const server = {
    mails: [] as Mail[],
    isBroken: false,
    send(mail: Mail) {
      if (server.isBroken) return Promise.reject(new Error('no route'))
      server.mails.push(mail)
      return Promise.resolve()
    },
    deliverSoon: () => undefined,
    close: () => Promise.resolve(),
  }
  return server
}
const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact: '' }

let last = 0
/** Opens accounts with a file, and returns the id of its batch. */
async function open(count: number): Promise<string> {
  const id = crypto.randomUUID()
  const lines = Array.from({ length: count }, () => {
    last += 1
    return { line: last, full_name: 'Ana', email: `ana${last}@correo.example`, amount: 5 }
  })
  await run(
    bank.administrator,
    sql`select public.create_customers(${id}, 'clientes.csv', ${JSON.stringify(lines)}::json)`,
  )
  await postAll(bank)
  return id
}
const start = (id: string) => run(bank.administrator, sql`select public.invite_customers(${id})`)
const stop = (id: string) => run(bank.administrator, sql`select public.stop_invitations(${id})`)
const progress = (id: string) => call<object>(bank.administrator, sql`public.count_invitations(${id})`)
/**
 * Sends the invitations of one interval, as the server does. With 480 invitations in an hour, one interval invites two
 * customers.
 */
const invite = (mailer: Mailer, perHour = 480) =>
  inviteSome({ database: bank.database, mailer, config, perHour })
/** Moves the invitations of a batch into the past. */
const age = (id: string, interval: string) =>
  bank.owner.query(sql`
    update public.batch_lines set invited_at = invited_at - ${interval}::interval where batch_id = ${id}`)
const recipients = ({ mails }: { mails: readonly Mail[] }) => mails.map(({ to }) => to)

test('customers are invited only after staff start the invitations, and a few at a time', async () => {
  const id = await open(3)
  const server = mailServer()

  await invite(server)
  expect(server.mails).toEqual([])
  await start(id)
  await invite(server)
  expect(server.mails).toHaveLength(2)
  expect(await progress(id)).toEqual({
    accounts: 3,
    invited: 2,
    taken: 0,
    expired: 0,
    refused: 0,
    has_administrator: true,
  })
  await invite(server)
  await invite(server)

  expect(new Set(recipients(server)).size).toBe(3)
  expect(server.mails).toHaveLength(3)
  expect(server.mails[0]?.text).toContain('vence en 7 días')
})

test('the bank never sends more invitations in an hour than the operator allows', async () => {
  const id = await open(3)
  await bank.owner.query(sql`update public.batch_lines set invited_at = null`)
  const server = mailServer()
  await start(id)

  for (let interval = 0; interval < 4; interval += 1) await invite(server, 2)
  expect(server.mails).toHaveLength(2)
  await age(id, '59 minutes')
  await invite(server, 2)
  expect(server.mails).toHaveLength(2)
  await age(id, '2 minutes')
  await invite(server, 2)

  expect(server.mails).toHaveLength(3)
})

test('stopped invitations continue after staff start them again', async () => {
  const id = await open(4)
  await bank.owner.query(sql`update public.batch_lines set invited_at = null`)
  const server = mailServer()
  await start(id)
  await invite(server)
  await stop(id)
  await invite(server)
  expect(server.mails).toHaveLength(2)

  await start(id)
  await invite(server)

  expect(new Set(recipients(server)).size).toBe(4)
})

test('a mail that fails is sent again after five minutes', async () => {
  const id = await open(1)
  const server = mailServer()
  await start(id)
  server.isBroken = true
  await expect(invite(server)).rejects.toThrow('no route')
  server.isBroken = false

  await age(id, '4 minutes')
  await invite(server)
  expect(server.mails).toEqual([])
  await age(id, '2 minutes')
  await invite(server)

  expect(server.mails).toHaveLength(1)
})

test('a customer whose link has expired is invited again, unless the customer has taken over the account', async () => {
  const id = await open(3)
  await bank.owner.query(sql`update public.batch_lines set invited_at = null where batch_id <> ${id}`)
  // The first customer of the file took over the account with a recovery link instead of an invitation.
  await bank.owner.query(sql`
    update auth.users set email_confirmed_at = now() where id = (
      select user_id from public.batch_lines where batch_id = ${id} order by line limit 1
    )`)
  const server = mailServer()
  await start(id)
  await invite(server)
  const [taken = '', other = ''] = recipients(server)
  await bank.owner.query(sql`update auth.users set email_confirmed_at = now() where email = ${taken}`)
  await age(id, '6 days')
  await start(id)
  await invite(server)
  expect(server.mails).toHaveLength(2)

  await age(id, '25 hours')
  expect(await progress(id)).toEqual({
    accounts: 3,
    invited: 2,
    taken: 2,
    expired: 1,
    refused: 0,
    has_administrator: true,
  })
  await start(id)
  await invite(server)

  expect(recipients(server).slice(2)).toEqual([other])
})

test('an invitation counts as expired after seven days', async () => {
  const id = await open(1)
  const server = mailServer()
  await start(id)
  await invite(server)

  await age(id, '6 days 23 hours')
  expect(await progress(id)).toMatchObject({ invited: 1, expired: 0 })
  await age(id, '61 minutes')
  expect(await progress(id)).toMatchObject({ invited: 1, expired: 1 })
})

const { mails: seal } = deriveKeys('the secret of this test, which is long enough')

const queueTo = (transport: Mailer) => {
  const mailOf = () => {
    throw new Error('No notice waits in this test.')
  }
  return new MailQueue({ database: bank.database, seal, transport, mailOf })
}
/** Sends what waits in the mail queue to a mail server that gives this answer, and waits until the queue gives up. */
async function giveUp(answer: { responseCode: number; response: string; command: string }) {
  const failed = Object.assign(new Error('refused'), answer)
  const transport: Mailer = {
    send: () => Promise.reject(failed),
    deliverSoon: () => undefined,
    close: () => Promise.resolve(),
  }
  const queue = queueTo(transport)
  await new Promise<void>((resolve) => {
    queue.deliver({
      onDelayed: () => undefined,
      onGivenUp: () => resolve(),
      onFailure: (error) => {
        throw error
      },
    })
  })
  await queue.close()
}
const unknown = { responseCode: 550, response: '550 5.1.1 no such user', command: 'RCPT TO' }
const denied = { responseCode: 550, response: '550 5.7.1 relaying denied', command: 'RCPT TO' }

test('an invitation to an address that does not exist is sent again only after staff start the invitations again', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  await bank.owner.query(sql`delete from auth.outgoing_mails`)
  const id = await open(1)
  await start(id)
  await invite(queueTo(mailServer()))
  expect(await progress(id)).toMatchObject({ invited: 1, refused: 0 })

  await giveUp(unknown)

  expect(await progress(id)).toMatchObject({ invited: 0, refused: 1 })
  await age(id, '1 day')
  const server = mailServer()
  await invite(server)
  expect(server.mails).toEqual([])
  await start(id)
  await invite(server)
  expect(server.mails).toHaveLength(1)
  expect(await progress(id)).toMatchObject({ invited: 1, refused: 0 })
})

test('an invitation whose mail was given up does not count as expired', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  const id = await open(2)
  await start(id)
  const due = await bank.owner.query(sql<{ due: { userId: string }[] }>`
    select private.claim_invitations(10, 200) as due`)
  const [refused, given] = due[0]?.due ?? []
  await bank.owner.query(sql`select private.return_invitation(${refused?.userId ?? ''}, now(), true)`)
  await bank.owner.query(sql`select private.return_invitation(${given?.userId ?? ''}, now(), false)`)

  await age(id, '8 days')

  expect(await progress(id)).toMatchObject({ invited: 0, expired: 0, refused: 1 })
})

test('an invitation that the mail server did not accept for a day is sent again by itself', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  await bank.owner.query(sql`delete from auth.outgoing_mails`)
  const id = await open(1)
  await start(id)
  await invite(queueTo(mailServer()))
  await age(id, '1 day')
  await bank.owner.query(sql`update auth.outgoing_mails set created_at = now() - interval '1 day'`)

  await giveUp(denied)

  expect(await progress(id)).toMatchObject({ invited: 0, refused: 0 })
  const server = mailServer()
  await invite(server)
  expect(server.mails).toHaveLength(1)
  expect(await progress(id)).toMatchObject({ invited: 1 })
})

/** Chooses the customers to invite, as a server does, and returns the only line. */
async function claim(): Promise<{ batch: string; line: number; userId: string }> {
  const [row] = await bank.owner.query(
    sql<{
      due: { batch: string; line: number; userId: string }[]
    }>`select private.claim_invitations(10, 200) as due`,
  )
  const [line, ...others] = row?.due ?? []
  if (line === undefined || others.length > 0) throw new Error('Not exactly one customer is due.')
  return line
}
const refuseMail = (userId: string, ago: string) =>
  bank.owner.query(sql`select private.return_invitation(${userId}, now() - ${ago}::interval, true)`)

test('an invitation whose mail is refused before the server notes it counts as refused', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  const id = await open(1)
  await start(id)
  const { batch, line, userId } = await claim()

  await refuseMail(userId, '0 seconds')
  await bank.owner.query(sql`select private.note_invitation(${batch}, ${line})`)

  expect(await progress(id)).toMatchObject({ invited: 0, refused: 1 })
})

test('the refusal of an old mail does not undo a newer invitation', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  const id = await open(1)
  await start(id)
  const { batch, line, userId } = await claim()
  await bank.owner.query(sql`select private.note_invitation(${batch}, ${line})`)

  await refuseMail(userId, '1 hour')
  expect(await progress(id)).toMatchObject({ invited: 1, refused: 0 })
  await refuseMail(userId, '0 seconds')
  expect(await progress(id)).toMatchObject({ invited: 0, refused: 1 })
})

test('the database accepts the link that an invitation contains', async () => {
  const id = await open(1)
  const server = mailServer()
  await start(id)
  await invite(server)

  const token = new URLSearchParams(/#(\S+)/.exec(server.mails[0]?.text ?? '')?.[1]).get('token_hash') ?? ''
  const kept = await bank.owner.query(sql`
    select token_type, expires_at > now() + interval '6 days' as is_long from auth.one_time_tokens
    where token_hash = ${oneTimeTokenHash(token)}`)
  expect(kept).toEqual([{ token_type: 'invite', is_long: true }])
})

test('an invitation cannot be used after its customer signed in by another link', async () => {
  const id = await open(1)
  const server = mailServer()
  await start(id)
  await invite(server)
  const invitations = () =>
    bank.owner.query(sql`
      select from auth.one_time_tokens t join auth.users u on u.id = t.user_id
      where u.email = ${server.mails[0]?.to ?? ''} and t.token_type = 'invite'`)
  expect(await invitations()).toHaveLength(1)

  await bank.asService(
    sql`
      select auth.store_one_time_token(u.id, 'magiclink', u.email, ${id}, 600, null, 600, null, null)
      from auth.users u where u.email = ${server.mails[0]?.to ?? ''}`,
    sql`
      select auth.redeem_one_time_token(
        '{magiclink}', ${id}, null, null, ${crypto.randomUUID()}, null, '{}')`,
  )

  expect(await invitations()).toEqual([])
})

test('staff must have recently entered the password to start the invitations, which adds one audit entry', async () => {
  const id = await open(1)
  const office = await addPerson(bank.database, 'admin')
  await ageProof(office, 11)

  await expect(run(office, sql`select public.invite_customers(${id})`)).rejects.toMatchObject({
    hint: 'reauthentication_needed',
  })
  await start(id)
  await start(id)
  await run(office, sql`select public.stop_invitations(${id})`)

  const entries = await bank.owner.query(
    sql`select action from ledger.audit where after ->> 'id' = ${id} order by id`,
  )
  expect(entries).toEqual([
    { action: 'register_batch' },
    { action: 'invite_customers' },
    { action: 'stop_invitations' },
  ])
})

/** Counts the lines that this connection has read, in the table and in its indexes. */
const linesRead = sql<{ lines: number }>`
  select (
    pg_stat_get_xact_tuples_returned('public.batch_lines'::regclass)
    + pg_stat_get_xact_tuples_fetched('public.batch_lines'::regclass)
    + coalesce(sum(pg_stat_get_xact_tuples_returned(i.indexrelid)), 0)
  )::integer as lines
  from pg_index i where i.indrelid = 'public.batch_lines'::regclass`

test('the choice of the next customers reads only a few of many waiting lines', async () => {
  await bank.owner.query(sql`update public.batch_lines set invited_at = null, invitation = 'sent'`)
  const id = await open(300)
  await start(id)
  await bank.owner.script('analyze public.batches, public.batch_lines, auth.users')

  const [[before], [claimed], [after]] = await bank.asService(
    linesRead,
    sql<{ due: object[] }>`select private.claim_invitations(2, 480) as due`,
    linesRead,
  )

  expect(claimed?.due).toHaveLength(2)
  expect((after?.lines ?? Infinity) - (before?.lines ?? 0)).toBeLessThan(300)
})

test('invitations stop if their administrator is blocked or demoted, and another administrator can continue them', async () => {
  await bank.owner.query(sql`update public.batches set invites_since = null, invited_by = null`)
  const id = await open(3)
  const server = mailServer()
  const clerk = await addPerson(bank.database, 'admin')
  await run(clerk, sql`select public.invite_customers(${id})`)
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '1 day' where id = ${clerk.id}`,
  )

  await invite(server)
  expect(server.mails).toEqual([])
  expect(await progress(id)).toMatchObject({ has_administrator: false })
  await bank.asService(sql`update auth.users set banned_until = null where id = ${clerk.id}`)
  await run(bank.administrator, setRole(clerk, 'user'))
  await invite(server)
  expect(server.mails).toEqual([])

  await start(id)
  await invite(server)
  expect(server.mails).toHaveLength(2)
  expect(await progress(id)).toMatchObject({ has_administrator: true })
  await stop(id)
  expect(await progress(id)).toMatchObject({ has_administrator: null })
  const entries = await bank.owner.query(
    sql<{ action: string }>`select action from ledger.audit where after ->> 'id' = ${id} order by id`,
  )
  expect(entries.map(({ action }) => action)).toEqual([
    'register_batch',
    'invite_customers',
    'invite_customers',
    'stop_invitations',
  ])
})

test('the audit names each administrator who takes over the invitations', async () => {
  const id = await open(1)
  const clerk = await addPerson(bank.database, 'admin')

  await start(id)
  await run(clerk, sql`select public.invite_customers(${id})`)
  await run(clerk, sql`select public.invite_customers(${id})`)

  expect(
    await bank.owner.query(sql`
      select actor from ledger.audit
      where action = 'invite_customers' and after ->> 'id' = ${id} order by id`),
  ).toEqual([{ actor: bank.administrator.id }, { actor: clerk.id }])
})
