import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { hasFeature } from '#api/configuration.ts'
import { logQuietly } from '#api/errors.ts'
import { verifySession } from '#api/unwrap.ts'
import { holdReadings } from './wait-for-live-channel.ts'
import { joinDataChannel } from './live-channel.ts'
import { dataKeys } from './queries.ts'
import { cancelRefresh, scheduleRefresh } from './refresh.ts'

/** Delays before each new attempt to join the channel. The last delay is repeated. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const

/** Maximum time that queries wait for the channel. Joining over an open socket takes one round trip. */
const listeningWaitMs = 200

/**
 * Keeps query results in sync with the database through the customer's channel, and joins the channel again whenever it
 * is lost. Returns a function that leaves the channel and does not join it again. A change that happens after a read
 * but before the channel listens is not announced. The first queries therefore wait until the channel listens, but at
 * most for `listeningWaitMs` and only if the socket is open. If queries ran earlier, all data is read again when the
 * channel listens (docs/decisions/0053-listen-then-read.md).
 */
export function followData(client: QueryClient, userId: string): () => void {
  let failures = 0
  const leaving = new AbortController()
  const { signal } = leaving
  /** Whether the channel must be joined again. False while a join is pending. */
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
    // Rows may have changed without an event before the channel listened, or while the channel was lost.
    if (mayRead) scheduleRefresh(client, userId, { withHistory: true })
    else beginReading()
  }

  const handleLost = (reason: unknown) => {
    if (signal.aborted) return
    isLost = true
    isLive = false
    beginReading()
    void logLoss(reason)
    void client.invalidateQueries({ queryKey: dataKeys.history(userId), refetchType: 'none' })
    const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]
    failures += 1
    // The first attempt to join again failed. The page therefore reads the summary once, so that the figures on screen
    // are current.
    if (failures === 2) scheduleRefresh(client, userId, { withHistory: false })
    window.clearTimeout(retryTimer)
    retryTimer = window.setTimeout(joinIfSeen, delayMs)
  }

  // The channel also closes when the user signs out in this or another tab, and when the session is ended elsewhere. In
  // these cases the page is about to close, and the loss is not logged.
  const logLoss = async (reason: unknown) => {
    const isSignedIn = await verifySession()
    if (isSignedIn && !signal.aborted) logQuietly(reason, 'live updates')
  }

  const join = async () => {
    window.clearTimeout(retryTimer)
    isLost = false
    try {
      const api = await backend()
      // Sets the token explicitly, because a channel that was joined without a token receives no events. The page may
      // start before the client has read its session.
      await api.realtime.setAuth()
      if (signal.aborted) return
      if (!api.realtime.isConnected()) beginReading()
      leaveChannel()
      leaveChannel = joinDataChannel({
        api,
        client,
        userId,
        hasTransfers: hasFeature('transferencias'),
        onListening: handleListening,
        onLost: handleLost,
      })
    } catch (error) {
      handleLost(error)
    }
  }

  // The client does not open a socket while the page is hidden. A hidden page therefore joins when it becomes visible
  // again.
  const joinIfSeen = () => {
    if (isLost && document.visibilityState === 'visible') void join()
  }

  // The socket does not close when the network fails. Without this handler, the client would notice the failure only
  // half a minute later, at its next heartbeats. Until then, the client would not repeat failed queries. When the
  // network is back, the page joins again and then reads all data again.
  const handleOffline = () => {
    if (isLost) return
    leaveChannel()
    handleLost(new Error('The browser is offline.'))
  }
  const handleOnline = () => {
    if (isLive || document.visibilityState === 'hidden') return
    // Joins now instead of waiting for the next attempt.
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
