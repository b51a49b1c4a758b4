/** Makes a backup every so often, by the clock and not by the start of the server. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupReport, Backups } from './backups.ts'
import { type Keep, backupsDirectory, readBackups, removeOld } from './retention.ts'

/** A server that has just started has other things to do. */
const settleMs = 60_000

/**
 * Makes one when the last is `intervalMs` old, and removes old ones once it is complete, until the answer is
 * called. A failed one is reported, and retried after the interval.
 */
export function scheduleBackups(
  backups: Pick<Backups, 'make'>,
  options: {
    readonly dataDir: string
    readonly intervalMs: number
    readonly keep: Keep
    readonly onMade: (report: BackupReport, removed: readonly string[]) => void
    readonly onFailure: (error: unknown) => void
  },
): () => void {
  const directory = backupsDirectory(options.dataDir)
  let timer: NodeJS.Timeout
  const makeAfter = (waitMs: number) => {
    timer = setTimeout(() => {
      makeOne(backups, directory, options)
        .catch(options.onFailure)
        .finally(() => {
          makeAfter(options.intervalMs)
        })
    }, waitMs)
    timer.unref()
  }
  makeAfter(firstWaitMs(lastMoment(directory, options.dataDir), options.intervalMs, Date.now()))
  return () => clearTimeout(timer)
}

/** How long the first one has to wait, when the last was made at `last`. */
export function firstWaitMs(last: number, intervalMs: number, now: number): number {
  return Math.max(Math.min(last + intervalMs - now, intervalMs), Math.min(settleMs, intervalMs))
}

async function makeOne(
  backups: Pick<Backups, 'make'>,
  directory: string,
  { keep, onMade }: { keep: Keep; onMade: (report: BackupReport, removed: readonly string[]) => void },
): Promise<void> {
  const report = await backups.make(null)
  onMade(report, await removeOld(directory, keep))
}

/** When the last one was made; a bank without any counts from its first day. */
function lastMoment(directory: string, dataDir: string): number {
  const [last] = readBackups(directory)
  if (last !== undefined) return last.takenAt.getTime()
  return statSync(join(dataDir, 'postgres', 'PG_VERSION'), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
}
