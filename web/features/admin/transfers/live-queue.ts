import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { decidedKey, queueKey, rereadMs, waitingQuery, type Request } from './requests.ts'

/** Delay before the queue is read again. Transfers that are decided together are announced together. */
const refreshDelayMs = 120
/** Minimum time between two reads, so that a busy bank does not make each open page read all the time. */
const refreshPauseMs = 2_000

/**
 * Reads the queue again whenever a requested transfer changes, and returns a function that stops this. After the
 * channel is lost or could not be joined, the function joins it again at the pace at which the page reads the queue
 * anyway.
 */
export function followRequests(client: QueryClient): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let refreshTimer: number | undefined
  let joinTimer: number | undefined
  let refreshedAt = Number.NEGATIVE_INFINITY
  let isWaitingStale = false
  let leaveChannel = () => {}

  const refresh = () => {
    refreshTimer = undefined
    refreshedAt = performance.now()
    void client.invalidateQueries({ queryKey: isWaitingStale ? queueKey : decidedKey })
    isWaitingStale = false
  }
  const scheduleRefresh = (changesWaiting: boolean) => {
    isWaitingStale ||= changesWaiting
    const pauseMs = refreshedAt + refreshPauseMs - performance.now()
    refreshTimer ??= window.setTimeout(refresh, Math.max(refreshDelayMs, pauseMs))
  }

  const join = async () => {
    let isOver = false
    const lose = () => {
      if (isOver || signal.aborted) return
      isOver = true
      leaveChannel()
      joinTimer = window.setTimeout(() => void join(), rereadMs)
    }
    try {
      const api = await backend()
      await api.realtime.setAuth()
      if (signal.aborted) return
      const channel = api
        // The topic is random for the reason that joinLedgerChannel gives.
        .channel(`requests:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
        .on<Request>('postgres_changes', { event: '*', schema: 'public', table: 'requests' }, (change) =>
          scheduleRefresh(changesWaiting(client, change.new)),
        )
        .on('system', {}, ({ extension, status }) => {
          if (isOver || extension !== 'postgres_changes') return
          // Requests may have changed before the channel listened.
          if (status === 'ok') scheduleRefresh(true)
          else lose()
        })
      leaveChannel = () => {
        isOver = true
        leaveChannel = () => {}
        void api.removeChannel(channel)
      }
      channel.subscribe((status) => {
        if (status.toString() !== 'SUBSCRIBED') lose()
      })
    } catch (error) {
      logQuietly(error, 'live queue')
      lose()
    }
  }

  void join()
  return () => {
    stopping.abort()
    window.clearTimeout(refreshTimer)
    window.clearTimeout(joinTimer)
    leaveChannel()
  }
}

/**
 * Returns whether the waiting transfers may have changed. The event does not contain the former status, because servers
 * announce only the key of a former row. A row that no longer waits therefore matters if the list contains it, is
 * incomplete or is just being read.
 */
function changesWaiting(client: QueryClient, { id, status }: Partial<Request>): boolean {
  if (id === undefined || status === undefined || status === 'waiting') return true
  const list = client.getQueryData(waitingQuery.queryKey)
  const isReading = client.isFetching({ queryKey: waitingQuery.queryKey }) > 0
  if (list === undefined || isReading || list.total > list.transfers.length) return true
  return list.transfers.some((transfer) => transfer.id === id)
}
