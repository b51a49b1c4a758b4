/** A lost primary, and in its place a follower without its last changes. */
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, onTestFinished, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { startCluster } from '#testing/cluster.ts'
import { openFaultyLine } from '#tests/process/faulty-line.ts'
import { askPsql } from '#tests/process/psql.ts'
import { record, signIn, startOn } from '#tests/process/servers-of-one-bank.ts'

const soon = { timeout: 20_000 }

// The embedded engine has no follower.
test.skipIf(findPostgresBinaries() === undefined)(
  'after a failover that lost the last movements the page reads anew, and hears what is recorded from then on',
  async () => {
    const cluster = await startCluster({ isDurable: false })
    onTestFinished(() => cluster.stop())
    const replica = await cluster.startReplica()
    const line = await openFaultyLine(cluster.ownerUrl)
    onTestFinished(() => line.close())
    const program = await startOn({ DATABASE_URL: line.urlOf(cluster.ownerUrl) })
    const { client, userId } = await signIn(program)
    const heard: string[] = []
    let joins = 0
    const channel = client
      .channel('own')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'transactions' }, ({ new: row }) =>
        heard.push((row as { id: string }).id),
      )
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) joins += 1
    })
    onTestFinished(() => client.realtime.disconnect().then(() => undefined))
    await expect.poll(() => joins, soon).toBe(1)
    const ids = async () => (await client.from('transactions').select('id')).data?.map(({ id }) => String(id))
    await record(client, userId)
    const kept = () => askPsql(cluster, replica.urlOf(cluster.ownerUrl), 'select id from public.transactions')
    await expect.poll(kept).toHaveLength(1)

    const endSending = await cluster.holdReplication()
    for (let lost = 0; lost < 60; lost += 1) await record(client, userId)
    await expect.poll(() => heard.length, soon).toBe(61)
    await cluster.kill()
    endSending()
    await replica.promote()
    line.leadTo(replica.urlOf(cluster.ownerUrl))

    await expect.poll(() => joins, soon).toBe(2)
    expect(await ids()).toEqual(heard.slice(0, 1))
    await record(client, userId)
    await expect.poll(() => heard.length, soon).toBe(62)
    expect(new Set(await ids())).toEqual(new Set([heard[0], heard[61]]))
  },
)
