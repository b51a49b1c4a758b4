/**
 * From the change feed to the channels. A channel's filter decides what it asked for, then the database
 * decides what its caller may see, once for each caller and batch; that also proves that the session is
 * alive (security.md RT-01, RT-03). `old_record` is the primary key, as upstream sends it under RLS.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Change, ChangeListener, EndedAccess } from '#database/changes.ts'
import { type Database, DatabaseUnavailable, type Row, SqlError } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Channel } from './channel.ts'
import { systemMessages } from './errors.ts'
import { isSamePerson, isSessionEnd } from './identify.ts'
import { type Delivery, groupByCaller } from './matching.ts'
import type { PublishedTable, PublishedTables } from './published-tables.ts'
import type { Registry } from './registry.ts'
import { Turns } from './turns.ts'
import { visibilityStatement } from './visibility.ts'

export type DeliveryServices = {
  readonly database: Database
  readonly tables: PublishedTables
  readonly registry: Registry<Channel>
  readonly log: { error(fields: object, message: string): void }
}

/** Callers that the database is asked about at the same time. */
const callersAtOnce = 4
const retryIntervalMs = 500

type ChannelDelivery = Delivery<Channel>

/** What listens to the change feed for all channels of this process. */
export function deliverTo(services: DeliveryServices): ChangeListener {
  const { registry, log } = services
  const onGap = () => {
    for (const channel of registry) channel.crash()
  }
  return {
    async onChanges(changes) {
      try {
        await deliverAll(services, changes)
      } catch (error) {
        log.error({ err: error }, 'changes could not be delivered')
        onGap()
      }
    },
    onEndedAccess(ended) {
      for (const each of ended) endAccess(registry, each)
    },
    onGap,
    onFailure(error) {
      log.error({ err: error }, 'the change feed failed')
    },
  }
}

async function deliverAll(services: DeliveryServices, changes: readonly Change[]): Promise<void> {
  // A copy: channels come and go meanwhile. One that comes joined after these were committed.
  const groups = await groupByCaller([...services.registry], changes)
  const worker = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift())
      await deliver(services, group)
  }
  await Promise.all(Array.from({ length: callersAtOnce }, worker))
}

/** A session that ended takes its channels with it; without a session's id, all of that user's. */
function endAccess(registry: Registry<Channel>, { userId, sessionId }: EndedAccess): void {
  for (const channel of registry.ofUser(userId)) {
    const { caller } = channel
    if (caller?.role !== 'authenticated') continue
    if (sessionId === null || sessionId === caller.claims.session_id) channel.end(systemMessages.sessionEnded)
  }
}

async function deliver(services: DeliveryServices, group: readonly ChannelDelivery[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const open = group.filter(({ channel }) => channel.isJoined)
    const [first] = open
    if (first === undefined) return
    try {
      const messages = await visibleMessages(services, first.caller, open)
      const turns = new Turns()
      for (const { channel, caller, change, ids } of open) {
        if (turns.isOver) await turns.pass()
        const data = messages.get(change)
        // A token that was renewed meanwhile changes nothing, another user everything.
        if (data !== undefined && isSamePerson(channel.caller, caller))
          channel.send('postgres_changes', { ids, data })
      }
      return
    } catch (error) {
      if (isSessionEnd(error)) {
        for (const { channel, caller } of open) {
          if (channel.caller === caller) channel.end(systemMessages.sessionEnded)
          else channel.crash()
        }
        return
      }
      await untilNextAttempt(services, { error, attempt, open })
    }
  }
}

/** Waits before the database is asked again; when that is no use, the channels have to join anew. */
async function untilNextAttempt(
  { log, tables }: DeliveryServices,
  { error, attempt, open }: { error: unknown; attempt: number; open: readonly ChannelDelivery[] },
): Promise<void> {
  if (attempt >= attemptsMax(error)) {
    log.error({ err: error }, 'changes could not be judged')
    for (const { channel } of open) channel.crash()
    return
  }
  // The catalogue may have changed under a policy's text.
  for (const { caller } of open) tables.forget(caller.role)
  await pause(retryIntervalMs)
}

/** How often the database is asked: longer when it is away than when it refuses. Mistakes of ours stay mistakes. */
function attemptsMax(error: unknown): number {
  if (error instanceof DatabaseUnavailable) return 10
  return error instanceof SqlError ? 2 : 1
}

/** What to say of each change that the caller may see, in one database transaction with their rights. */
async function visibleMessages(
  { database, tables }: DeliveryServices,
  caller: Caller,
  deliveries: readonly ChannelDelivery[],
): Promise<Map<Change, Message>> {
  const changes = new Set(deliveries.map(({ change }) => change))
  const asked = (await tables.of(caller.role))
    .map((table) => ({ table, changes: [...changes].filter((change) => isOf(table, change)) }))
    .filter((each) => each.changes.length > 0)
  const answers = await database.transaction(
    asCaller(caller, 'read'),
    asked.map((each) => visibilityStatement(each.table, each.changes.map(imageOf))),
  )
  const messages = new Map<Change, Message>()
  for (const [index, { table, changes: judged }] of asked.entries()) {
    for (const [place, change] of judged.entries()) {
      if (answers[index]?.[place]?.visible === true) messages.set(change, messageOf(table, change))
    }
  }
  return messages
}

function isOf({ schema, table }: PublishedTable, change: Change): boolean {
  return change.schema === schema && change.table === table
}

/** The row that is judged: the new one, or the one that is gone. */
function imageOf({ record, oldRecord }: Change): Row {
  return record ?? oldRecord ?? {}
}

type Message = Readonly<Record<string, unknown>>

/** The `data` of the frame, with the columns that the role may read. */
function messageOf(table: PublishedTable, { schema, operation, at, record, oldRecord }: Change): Message {
  const columns = table.columns.filter(({ isSelectable }) => isSelectable)
  const key = columns.filter(({ isKey }) => isKey)
  return {
    schema,
    table: table.table,
    type: operation,
    commit_timestamp: at,
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(record === null ? {} : { record: pick(record, columns) }),
    ...(oldRecord === null ? {} : { old_record: pick(oldRecord, key) }),
    errors: null,
  }
}

function pick(row: Row, columns: readonly { readonly name: string }[]): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name]]))
}
