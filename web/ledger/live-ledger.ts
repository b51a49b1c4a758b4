import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { verifySession } from '#backend/verify-session.ts'
import { joinLedgerChannel } from './live-channel.ts'
import { ledgerKeys } from './queries.ts'
import { createRefreshSchedule } from './refresh-schedule.ts'

/** Whether changes made elsewhere arrive: not yet, yes, or no longer. */
export type LiveState = 'connecting' | 'live' | 'lost'

/** Waiting times between attempts to join again; the last one repeats. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const

/** Keeps what is on screen equal to the database while it is mounted, over one channel of the customer's own. */
export function useLiveLedger(userId: string): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => followLedger({ client, userId, onState: setState }), [client, userId])
  return state
}

type Following = {
  client: QueryClient
  userId: string
  onState: (state: LiveState) => void
}

/** Joins, joins again whenever the channel is lost, and answers the function that leaves for good. */
function followLedger({ client, userId, onState }: Following): () => void {
  const refresh = createRefreshSchedule(client, userId)
  let failures = 0
  let hasLeft = false
  let isLost = false
  let retryTimer: number | undefined
  let leaveChannel = () => {}

  const handleJoined = () => {
    failures = 0
    isLost = false
    onState('live')
    // What changed while nobody listened was not announced.
    refresh.schedule({ withHistory: true })
  }

  const handleLost = () => {
    if (hasLeft) return
    isLost = true
    onState('lost')
    // A session that was ended elsewhere closes the channel too, and would not get it back.
    void verifySession()
    void client.invalidateQueries({ queryKey: ledgerKeys.history(userId), refetchType: 'none' })
    const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]
    failures += 1
    window.clearTimeout(retryTimer)
    retryTimer = window.setTimeout(joinIfSeen, delayMs)
  }

  const join = async () => {
    window.clearTimeout(retryTimer)
    isLost = false
    try {
      const api = await backend()
      if (hasLeft) return
      leaveChannel()
      leaveChannel = joinLedgerChannel({
        api,
        client,
        userId,
        refresh,
        onJoined: handleJoined,
        onLost: handleLost,
      })
    } catch (error) {
      logQuietly(error, 'live updates')
      handleLost()
    }
  }

  // A hidden page gets no socket from the client; it joins when somebody looks again.
  const joinIfSeen = () => {
    if (isLost && document.visibilityState === 'visible') void join()
  }

  void join()
  document.addEventListener('visibilitychange', joinIfSeen)
  window.addEventListener('online', joinIfSeen)
  return () => {
    hasLeft = true
    window.clearTimeout(retryTimer)
    document.removeEventListener('visibilitychange', joinIfSeen)
    window.removeEventListener('online', joinIfSeen)
    refresh.cancel()
    leaveChannel()
  }
}
