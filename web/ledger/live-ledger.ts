import type { QueryClient } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { verifySession } from '#backend/unwrap.ts'
import { holdReadings } from './wait-for-live-channel.ts'
import { joinLedgerChannel } from './live-channel.ts'
import { ledgerKeys } from './queries.ts'
import { cancelRefresh, scheduleRefresh } from './refresh.ts'

/** Waiting times before the channel is joined again. The last one repeats. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const

/** Longest time that readings wait for the channel. Joining over an open socket takes one round trip. */
const listeningWaitMs = 200

/**
 * Keeps the query results equal to the database through the customer's channel. Joins the channel again whenever it is
 * lost. Returns a function that leaves it and does not join again. A change between a reading and the start of
 * listening sends no event. The first readings therefore wait until the channel listens, for at most `listeningWaitMs`
 * and only if the socket is open. If they ran earlier, everything is read again when the channel listens
 * (docs/decisions/0053-listen-then-read.md).
 */
export function followLedger(client: QueryClient, userId: string): () => void {
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
    // Rows may have changed without an event, before the channel listened or while it was down.
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
    // The first attempt to rejoin failed: a reading shows whether the figures on screen are current.
    if (failures === 2) scheduleRefresh(client, userId, { withHistory: false })
    window.clearTimeout(retryTimer)
    retryTimer = window.setTimeout(joinIfSeen, delayMs)
  }

  // The channel also closes when the user signs out, here or in another tab, and when the session ends elsewhere. Then
  // the page is about to close, and the loss is not logged.
  const logLoss = async (reason: unknown) => {
    const isSignedIn = await verifySession()
    if (isSignedIn && !signal.aborted) logQuietly(reason, 'live updates')
  }

  const join = async () => {
    window.clearTimeout(retryTimer)
    isLost = false
    try {
      const api = await backend()
      // The page may start before the client has read its session, and a channel joined without a token receives no
      // events.
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

  // The client opens no socket for a hidden page, so a hidden page joins when it is visible again.
  const joinIfSeen = () => {
    if (isLost && document.visibilityState === 'visible') void join()
  }

  // A dead network does not close the socket. The client would notice only at its next heartbeats, half a minute later,
  // and failed readings would stay failed until then. Joining again when the network is back reads everything again.
  const handleOffline = () => {
    if (isLost) return
    leaveChannel()
    handleLost(new Error('The browser is offline.'))
  }
  const handleOnline = () => {
    if (isLive || document.visibilityState === 'hidden') return
    // Join now, instead of waiting for the next attempt.
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
