/** The log of what an engine did to its files: a line of JSON for each event, then the bytes that were written. */
import { readFileSync } from 'node:fs'

/** Paths are relative to the engine's directory. */
export type FileEvent =
  | { op: 'write'; path: string; position: number; length: number }
  | { op: 'fsync' | 'create' | 'mkdir' | 'unlink' | 'rmdir'; path: string }
  | { op: 'truncate'; path: string; size: number }
  | { op: 'rename'; path: string; to: string }

/** An event, its bytes, and where it ends in the log. */
export type Recorded = { event: FileEvent; bytes: Buffer; end: number }

/** Reads a log; what the end cut off is left out. */
export function readRecording(path: string): Recorded[] {
  const log = readFileSync(path)
  const recorded: Recorded[] = []
  for (let offset = 0; ;) {
    const lineEnd = log.indexOf('\n', offset)
    if (lineEnd === -1) return recorded
    const event = JSON.parse(log.toString('utf8', offset, lineEnd)) as FileEvent
    const end = lineEnd + 1 + (event.op === 'write' ? event.length : 0)
    if (end > log.length) return recorded
    recorded.push({ event, bytes: log.subarray(lineEnd + 1, end), end })
    offset = end
  }
}
