/** What the realtime surface has done since the start, for the operator's metrics. */

/** Why a socket was closed by this server. */
export type DropReason = 'slow' | 'silent' | 'limit'

export class RealtimeCounts {
  /** Changes that were sent to a channel. */
  events = 0
  readonly dropped: Record<DropReason, number> = { slow: 0, silent: 0, limit: 0 }
}
