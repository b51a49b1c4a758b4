import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { queueKey, rereadMs } from './requests.ts'

/** Delay before the queue is read again. Transfers that are decided together are announced together. */
const refreshDelayMs = 120

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
  let leaveChannel = () => {}

  const refresh = () => {
    refreshTimer ??= window.setTimeout(() => {
      refreshTimer = undefined
      void client.invalidateQueries({ queryKey: queueKey })
    }, refreshDelayMs)
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
        .on('postgres_changes', { event: '*', schema: 'public', table: 'requests' }, refresh)
        .on('system', {}, ({ extension, status }) => {
          if (isOver || extension !== 'postgres_changes') return
          // Requests may have changed before the channel listened.
          if (status === 'ok') refresh()
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
