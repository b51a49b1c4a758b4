/**
 * Members of one public topic at two servers before one PostgreSQL, with the real client. Seen red with a server that
 * reads its own messages back, with `jsonb` for what clients wrote, with presence learned by differences alone, with dead
 * servers believed for ever, with snapshots compared over a crash, with a server that begins to read at its first look, and
 * with one that takes 60 ms to hand on each message (18 s until the balance was there).
 */
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#tools/postgres/binaries.ts'
import { type Cluster, servingLoginOf, startCluster } from '#tools/postgres/cluster.ts'
import { findPooler, startPooler } from '#tools/postgres/pooler.ts'
import { clientOf } from './client.ts'
import type { Program } from './server-program.ts'
import { carry, record, signIn, startOn } from './servers-of-one-bank.ts'

const soon = { timeout: 5000 }
/** When somebody whose server was killed is gone at the latest. */
const goneMs = 15_000

// The embedded engine has one server.
describe.skipIf(findPostgresBinaries() === undefined)('a topic with members at two servers', () => {
  let cluster: Cluster
  let bank: { DATABASE_URL: string }
  let first: Program
  let second: Program
  beforeAll(async () => {
    cluster = await startCluster({ isDurable: false })
  })
  afterAll(() => cluster.stop())

  async function startTwo(): Promise<void> {
    bank = { DATABASE_URL: await cluster.createDatabase(`topics_${randomUUID().slice(0, 8)}`) }
    first = await startOn(bank)
    second = await startOn(bank)
  }

  test('what is said at one of them everybody hears, once and in order, and its speaker who asks for it', async () => {
    await startTwo()
    // What neither PostgreSQL's texts nor its `jsonb` have room for.
    const [topic, odd] = [`patio ${randomUUID()} \0`, 'a\0b\ud800c']
    const speaker = await member(first, topic, { broadcast: { ack: true } })
    const echoed = await member(first, topic, { broadcast: { self: true } })
    const beside = await member(first, topic)
    const [far, farther] = [await member(second, topic), await member(second, topic)]
    const elsewhere = await member(second, randomUUID())

    const texts = Array.from({ length: 30 }, (_, index) => `${index} ${odd}`)
    for (const text of texts) expect(await say(speaker, text)).toBe('ok')
    await expect.poll(() => far.heard, soon).toEqual(texts)
    await say(echoed, 'eco')
    await expect.poll(() => farther.heard, soon).toEqual([...texts, 'eco'])
    // Back again: whatever the first server would have heard of itself has come by then.
    await say(far, 'adiós')
    await expect.poll(() => speaker.heard, soon).toContain('adiós')

    const all = [...texts, 'eco', 'adiós']
    expect(speaker.heard).toEqual(['eco', 'adiós'])
    expect(echoed.heard).toEqual(all)
    expect(beside.heard).toEqual(all)
    expect(far.heard).toEqual([...texts, 'eco'])
    expect(farther.heard).toEqual(all)
    expect(elsewhere.heard).toEqual([])
  })

  test('who is present at one of them is seen at both, by who was there and by who comes later, until they leave', async () => {
    await startTwo()
    const topic = randomUUID()
    const luis = await member(second, topic, { presence: { key: 'luis' } })
    const [ana, ines, eva] = [
      await member(first, topic, { presence: { key: 'ana' } }),
      await member(first, topic, { presence: { key: 'inés' } }),
      await member(first, topic, { presence: { key: 'eva' } }),
    ]

    await ana.channel.track({ desk: 'caja 1' })
    await ana.channel.track({ desk: 'caja 2 \0\ud800' })
    await ines.channel.track({ desk: 'mesa' })
    await eva.channel.track({ desk: 'puerta' })
    await luis.channel.track({ desk: 'patio' })
    const everybody = ['ana: caja 2 \0\ud800', 'eva: puerta', 'inés: mesa', 'luis: patio']
    for (const each of [ana, luis]) await expect.poll(() => seenBy(each), soon).toEqual(everybody)
    // The second server knows the others already, the third one has to ask.
    const rosa = await member(second, topic, { presence: { key: 'rosa' } })
    const raul = await member(await startOn(bank), topic, { presence: { key: 'raúl' } })
    for (const each of [rosa, raul]) await expect.poll(() => seenBy(each), soon).toEqual(everybody)

    await ana.channel.untrack()
    await ines.channel.unsubscribe()
    await eva.channel.socket.disconnect()
    for (const each of [luis, rosa, raul])
      await expect.poll(() => seenBy(each), soon).toEqual(['luis: patio'])
  })

  test('who is at a server that is killed is gone within 15 s, at one that ends in order at once', async () => {
    await startTwo()
    const topic = randomUUID()
    const luis = await member(second, topic, { presence: { key: 'luis' } })
    await (await member(first, topic, { presence: { key: 'ana' } })).channel.track({ desk: 'caja' })
    await expect.poll(() => seenBy(luis), soon).toEqual(['ana: caja'])

    first.process.kill('SIGKILL')
    await expect.poll(() => seenBy(luis), { timeout: goneMs }).toEqual([])

    const third = await startOn(bank)
    await (await member(third, topic, { presence: { key: 'eva' } })).channel.track({ desk: 'puerta' })
    await expect.poll(() => seenBy(luis), soon).toEqual(['eva: puerta'])
    third.process.kill('SIGTERM')
    await third.ended
    await expect.poll(() => seenBy(luis)).toEqual([])
  })

  test('while the database is killed and comes back everybody stays, and afterwards they hear each other again', async () => {
    await startTwo()
    const topic = randomUUID()
    const [ana, ines, luis] = [
      await member(first, topic, { presence: { key: 'ana' } }),
      await member(first, topic, { presence: { key: 'inés' } }),
      await member(second, topic, { presence: { key: 'luis' } }),
    ]
    for (const { channel } of [ana, ines, luis]) await channel.track({ desk: 'caja' })
    await expect.poll(() => seenBy(luis), soon).toHaveLength(3)
    luis.seen.length = 0

    await cluster.kill()
    await ines.channel.untrack()
    await say(ana, 'nadie me oye')
    await cluster.restart()

    await expect.poll(() => seenBy(luis), { timeout: 20_000 }).toEqual(['ana: caja', 'luis: caja'])
    await ana.channel.track({ desk: 'mesa' })
    await expect.poll(() => seenBy(luis), soon).toEqual(['ana: mesa', 'luis: caja'])
    await say(ana, 'otra vez')
    await expect.poll(() => luis.heard, soon).toContain('otra vez')
    expect(luis.seen.filter((state) => !state.some((each) => each.startsWith('ana')))).toEqual([])
  })

  test('strangers who shout at one server do not keep a customer at the other from their balance', async () => {
    await startTwo()
    const { client, userId } = await signIn(first)
    const elsewhere = await carry(client, second)
    const arrived = new Map<number, (at: number) => void>()
    const budgets = elsewhere
      .channel('own')
      .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'budgets' }, ({ new: row }) =>
        arrived.get((row as { balance: number }).balance)?.(performance.now()),
      )
    await joined(budgets)
    onTestFinished(() => elsewhere.realtime.disconnect().then(() => undefined))
    const crowd = await Promise.all(Array.from({ length: 20 }, () => member(first, 'grito')))
    const audience = await Promise.all(Array.from({ length: 10 }, () => member(second, 'grito')))
    const text = 'x'.repeat(30_000)
    const shouting = setInterval(() => {
      for (const each of crowd) void say(each, text)
    }, 25)
    onTestFinished(() => clearInterval(shouting))
    const heardBy = () => audience[0]?.heard.length ?? 0
    await expect.poll(heardBy, soon).toBeGreaterThan(0)

    const delays: number[] = []
    for (let round = 1; round <= 20; round += 1) {
      const arrival = new Promise<number>((resolve) => arrived.set(-round, resolve))
      await record(client, userId)
      const writtenAt = performance.now()
      delays.push((await arrival) - writtenAt)
    }
    const heardMeanwhile = heardBy()

    expect(Math.max(...delays)).toBeLessThan(1000)
    // They did shout all the while, and were heard.
    await expect.poll(heardBy, soon).toBeGreaterThan(heardMeanwhile)
  })

  // Without PgBouncer's program there is nothing to stand behind.
  test.skipIf(findPooler() === undefined)(
    'behind PgBouncer in transaction mode they hear and see each other too, also at a server that knows no way past it',
    async () => {
      const ownerUrl = await cluster.createDatabase('topics_pooled')
      const login = servingLoginOf(ownerUrl)
      const pooler = await startPooler({ program: findPooler() ?? '', serverUrl: ownerUrl, login })
      try {
        const addresses = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: ownerUrl }
        const topic = randomUUID()
        const ana = await member(await startOn(addresses), topic, { presence: { key: 'ana' } })
        const luis = await member(await startOn(addresses), topic, { presence: { key: 'luis' } })

        // Nobody wakes this one, which looks by the clock.
        const unwoken = await startOn({ DATABASE_URL: pooler.url })
        const eva = await member(unwoken, topic, { presence: { key: 'eva' } })

        await ana.channel.track({ desk: 'caja' })
        await eva.channel.track({ desk: 'puerta' })
        await say(ana, 'buenos días')
        await say(eva, 'hola')

        for (const each of [luis, eva]) {
          await expect.poll(() => seenBy(each), soon).toEqual(['ana: caja', 'eva: puerta'])
          await expect.poll(() => each.heard, soon).toContain('buenos días')
        }
        for (const each of [ana, luis]) await expect.poll(() => each.heard, soon).toContain('hola')
      } finally {
        await pooler.stop()
      }
    },
  )
})

type Member = {
  channel: RealtimeChannel
  /** Every text that came, in order. */
  heard: string[]
  /** Who was seen, at each change. */
  seen: string[][]
}
type Wishes = { broadcast?: { self?: boolean; ack?: boolean }; presence?: { key: string } }

/** A client of its own that has joined a topic at a server. */
async function member(program: Program, topic: string, wishes: Wishes = {}): Promise<Member> {
  const client = await clientOf(program)
  onTestFinished(() => client.realtime.disconnect().then(() => undefined))
  const channel = client.channel(topic, { config: wishes })
  const self: Member = { channel, heard: [], seen: [] }
  channel.on('broadcast', { event: 'text' }, ({ payload }) =>
    self.heard.push((payload as { text: string }).text),
  )
  if (wishes.presence !== undefined)
    channel.on('presence', { event: 'sync' }, () => self.seen.push(seenBy(self)))
  await joined(channel)
  return self
}

function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
    })
  })
}

const say = ({ channel }: Member, text: string) =>
  channel.send({ type: 'broadcast', event: 'text', payload: { text } })

const seenBy = ({ channel }: Member): string[] =>
  Object.entries(channel.presenceState<{ desk: string }>())
    .map(([key, metas]) => `${key}: ${metas.map(({ desk }) => desk).join(', ')}`)
    .sort()
