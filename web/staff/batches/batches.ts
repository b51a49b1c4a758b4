/** Calls that read, stop, continue or reverse a batch. */
import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { readAll, type ReadAfter } from '#api/read-all.ts'
import { unwrap } from '#api/unwrap.ts'
import { rowPages } from '#staff/lists/row-pages.ts'

/** The columns of a batch that the page reads. */
export type Batch = Omit<
  Database['public']['Tables']['batches']['Row'],
  'sent_by' | 'posted_by' | 'reversed_by' | 'invited_by' | 'body_hash'
>

/**
 * Returns whether the database is still posting or reversing the batch. During the posting or the reversal, the batch's
 * figures still change.
 */
export function isPosting({ stopped_at, finished_at, is_held }: Batch): boolean {
  return stopped_at === null && finished_at === null && !is_held
}

export type BatchLine = {
  line: number
  amount: number
  description: string | null
  status: 'waiting' | 'posted' | 'failed' | 'reversing' | 'reversed'
  fault: string | null
  profiles: { full_name: string | null; user_safe: { email: string } | null } | null
  /** The data of the account, if the batch has not opened the account yet. */
  new_accounts: NewAccount | null
}

type NewAccount = Pick<Database['public']['Tables']['new_accounts']['Row'], 'full_name' | 'email'>

const batchColumns =
  'id,title,created_at,sent_by_name,lines,amount,posted,posted_amount,failed,reversed_at,reversed_by_name,reason,reversed,reversed_amount,kept,is_held,opens_accounts,invites_since,stopped_at,finished_at'
const lineColumns = 'line,amount,description,status,fault,profiles(full_name,user_safe(email))'

/** Maximum number of batches that the page lists. */
const listedMax = 20
const linesStep = 100
/** Interval at which the page reads a batch while the database posts it. */
const progressMs = 1000
/** Interval at which the page reads a batch that waits for another administrator. */
const heldMs = 10_000

export const batchesQuery = queryOptions({
  queryKey: ['batches'],
  refetchInterval: ({ state: { data } }: { state: { data: Batch[] | undefined } }) =>
    data?.some(isPosting) === true ? progressMs : false,
  queryFn: async ({ signal }): Promise<Batch[]> => {
    const client = await backend()
    const latest = client.from('batches').select(batchColumns).order('created_at', { ascending: false })
    return unwrap(await latest.limit(listedMax).abortSignal(signal))
  },
})

export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['batches', id],
    refetchInterval: ({ state: { data } }: { state: { data: Batch | null | undefined } }) =>
      data ? (isPosting(data) ? progressMs : data.is_held && heldMs) : false,
    queryFn: async ({ signal }): Promise<Batch | null> => {
      const client = await backend()
      return unwrap(
        await client.from('batches').select(batchColumns).eq('id', id).abortSignal(signal).maybeSingle(),
      )
    },
  })
}

/**
 * Stops a batch, or continues a stopped batch. Before a batch stops, the database posts the rest of the current chunk.
 * Throws the table API's error.
 */
export async function holdBatch(act: 'stop' | 'continue', id: string): Promise<Batch> {
  const client = await backend()
  return unwrap(await client.rpc(act === 'stop' ? 'stop_batch' : 'continue_batch', { id }))
}

/** Orders the reversal of the whole batch. A repeated call has no further effect. Throws the table API's error. */
export async function reverseBatch(id: string, reason: string): Promise<Batch> {
  const client = await backend()
  return unwrap(await client.rpc('reverse_batch', { id, reason }))
}

/** Returns the address of a line's customer, or `undefined` if the account was deleted. */
export function emailOf({
  profiles,
  new_accounts,
}: Pick<BatchLine, 'profiles' | 'new_accounts'>): string | undefined {
  return profiles?.user_safe?.email ?? new_accounts?.email
}

/** Reads a batch's lines page by page: either only the faulty lines or all lines. */
export function linesQuery(id: string, isFaulty: boolean) {
  return rowPages(['batches', id, 'lines', isFaulty], linesOf(id, isFaulty), linesStep)
}

/** Reads every line, in the order of the file. */
export function readAllLines(id: string): Promise<BatchLine[]> {
  return readAll(linesOf(id, false))
}

function linesOf(id: string, isFaulty: boolean): ReadAfter<BatchLine> {
  return (last, { rowsMax, signal }) => readLines(id, { after: last?.line ?? 0, isFaulty, rowsMax }, signal)
}

async function readLines(
  id: string,
  { after, isFaulty, rowsMax }: { after: number; isFaulty: boolean; rowsMax: number },
  signal?: AbortSignal,
): Promise<BatchLine[]> {
  const client = await backend()
  let lines = client.from('batch_lines').select(lineColumns).eq('batch_id', id).gt('line', after)
  if (isFaulty) lines = lines.not('fault', 'is', null)
  const page = lines.order('line').limit(rowsMax)
  const answer = await (signal === undefined ? page : page.abortSignal(signal)).overrideTypes<
    Omit<BatchLine, 'new_accounts'>[],
    { merge: false }
  >()
  const read = unwrap(answer)
  const without = read.filter(
    ({ profiles, status }) => profiles === null && (status === 'waiting' || status === 'failed'),
  )
  const [first, last] = [without[0], without.at(-1)]
  // The table API embeds at most two tables, so a separate request reads these rows.
  const accounts =
    first === undefined || last === undefined
      ? []
      : unwrap(
          await client
            .from('new_accounts')
            .select('line,full_name,email')
            .eq('batch_id', id)
            .gte('line', first.line)
            .lte('line', last.line),
        )
  const byLine = new Map(accounts.map(({ line, ...account }) => [line, account]))
  return read.map((line) => ({ ...line, new_accounts: byLine.get(line.line) ?? null }))
}
