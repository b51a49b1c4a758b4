import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { verifySession } from '#backend/unwrap.ts'
import { holdReadings } from './wait-for-live-channel.ts'
import { joinLedgerChannel } from './live-channel.ts'
import { ledgerKeys } from './queries.ts'
import { cancelRefresh, scheduleRefresh } from './refresh.ts'

/** Waiting times between attempts to join again; the last one repeats. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const

/** How long readings wait for a channel that is being joined over an open socket, which takes one round trip. */
const listeningWaitMs = 200

/**
 * Keeps what is read equal to the database, over one channel of the customer's own: joins, joins again whenever the
 * channel is lost, and answers the function that leaves for good. Changes between a read and the start of listening
 * send no event, so the first queries wait for that start where it is near. Where it is not, they begin at once, and
 * everything is read again when the channel listens (docs/decisions/0053-listen-then-read.md).
 */
export function followLedger(client: QueryClient, userId: string): () => void {
  let failures = 0
  const leaving = new AbortController()
  const { signal } = leaving
  /** Whether it has to be joined again; a joining that is under way counts as neither. */
  let isLost = false
  let isLive = false
  let retryTimer: number | undefined
  let leaveChannel = () => {}
  const { promise: firstReadings, resolve: letRead } = Promise.withResolvers<void>()
  let mayRead = false
  const beginReading = () => {
    mayRead = true
    letRead()
  }

  const handleListening = () => {
    failures = 0
    isLost = false
    isLive = true
    // Rows may have changed without an event before the channel listened and while it was down.
    if (mayRead) scheduleRefresh(client, userId, { withHistory: true })
    else beginReading()
  }

  const handleLost = (reason: unknown) => {
    if (signal.aborted) return
    isLost = true
    isLive = false
    beginReading()
    void logLoss(reason)
    void client.invalidateQueries({ queryKey: ledgerKeys.history(userId), refetchType: 'none' })
    const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]
    failures += 1
    // It did not come back at once: a reading shows whether the figures on screen are current.
    if (failures === 2) scheduleRefresh(client, userId, { withHistory: false })
    window.clearTimeout(retryTimer)
    retryTimer = window.setTimeout(joinIfSeen, delayMs)
  }

  // Signing out closes the channel too, here or in another tab, and so does an end of the session elsewhere: then
  // the page is left in a moment, and nothing was lost.
  const logLoss = async (reason: unknown) => {
    const isSignedIn = await verifySession()
    if (isSignedIn && !signal.aborted) logQuietly(reason, 'live updates')
  }

  const join = async () => {
    window.clearTimeout(retryTimer)
    isLost = false
    try {
      const api = await backend()
      // The page may be there before the client has read its session, and a join without its token hears of nothing.
      await api.realtime.setAuth()
      if (signal.aborted) return
      if (!api.realtime.isConnected()) beginReading()
      leaveChannel()
      leaveChannel = joinLedgerChannel({
        api,
        client,
        userId,
        onListening: handleListening,
        onLost: handleLost,
      })
    } catch (error) {
      handleLost(error)
    }
  }

  // A hidden page gets no socket from the client; it joins when it is visible again.
  const joinIfSeen = () => {
    if (isLost && document.visibilityState === 'visible') void join()
  }

  // A dead network does not close the socket: the client would notice at its next heartbeats, half a minute later, and
  // what failed to be read meanwhile would stay failed. Joining anew when it is back reads everything again.
  const handleOffline = () => {
    if (isLost) return
    leaveChannel()
    handleLost(new Error('The browser is offline.'))
  }
  const handleOnline = () => {
    if (isLive || document.visibilityState === 'hidden') return
    // An attempt of a moment ago, or one to come in ten seconds, is worth nothing now.
    failures = 0
    void join()
  }

  holdReadings(firstReadings)
  window.setTimeout(beginReading, listeningWaitMs)
  void join()
  window.addEventListener('offline', handleOffline, { signal })
  document.addEventListener('visibilitychange', joinIfSeen, { signal })
  window.addEventListener('online', handleOnline, { signal })
  return () => {
    leaving.abort()
    beginReading()
    window.clearTimeout(retryTimer)
    cancelRefresh(client)
    leaveChannel()
  }
}
