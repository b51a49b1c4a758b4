/**
 * The content that a disk would have after a power cut at some point of a recording: all synced data and any subset of
 * the unsynced sectors. The model assumes that a created, renamed or removed file is durable immediately, even without
 * a sync. A recording is a log of the engine's file operations: each event is a line of JSON, followed by the bytes
 * that were written.
 */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '#nightly/fixtures/random.ts'

/** Paths are relative to the engine's directory. */
export type FileEvent =
  | { op: 'write'; path: string; position: number; length: number }
  | { op: 'fsync' | 'create' | 'mkdir' | 'unlink' | 'rmdir'; path: string }
  | { op: 'truncate'; path: string; size: number }
  | { op: 'rename'; path: string; to: string }

/** An event, the bytes that it wrote, and the position in the recording at which it ends. */
export type Recorded = { event: FileEvent; bytes: Buffer; end: number }

/** Reads a recording and ignores a truncated record at its end. */
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

type PendingWrite = { position: number; bytes: Buffer }

/** The part of the unsynced writes that survives the power cut: nothing, everything, or a random choice of sectors. */
export type Survival = 'nothing' | 'everything' | 'by chance'

const sectorBytes = 512

/** A simulated disk that applies the events of a recording one after the other. */
export class Disk {
  readonly #directory: string
  #pending = new Map<string, PendingWrite[]>()

  /**
   * `directory` is a copy of the engine's directory from the start of the recording. Events that are certainly durable
   * are applied to this copy.
   */
  constructor(directory: string) {
    this.#directory = directory
  }

  take({ event, bytes }: Recorded): void {
    const path = join(this.#directory, event.path)
    switch (event.op) {
      case 'write':
        this.#pending.set(event.path, [
          ...(this.#pending.get(event.path) ?? []),
          { position: event.position, bytes },
        ])
        break
      case 'fsync':
        writeAll(path, this.#pending.get(event.path) ?? [])
        this.#pending.delete(event.path)
        break
      case 'create':
        if (!existsSync(path)) writeFileSync(path, '')
        break
      case 'mkdir':
        mkdirSync(path, { recursive: true })
        break
      case 'unlink':
      case 'rmdir':
        rmSync(path, { recursive: true, force: true })
        this.#pending.delete(event.path)
        break
      case 'truncate':
        if (existsSync(path)) truncateSync(path, event.size)
        this.#pending.set(
          event.path,
          (this.#pending.get(event.path) ?? []).filter(({ position }) => position < event.size),
        )
        break
      case 'rename': {
        const moved = this.#pending.get(event.path)
        this.#pending.delete(event.path)
        this.#pending.delete(event.to)
        if (moved !== undefined) this.#pending.set(event.to, moved)
        mkdirSync(dirname(join(this.#directory, event.to)), { recursive: true })
        renameSync(path, join(this.#directory, event.to))
        break
      }
      default:
        event satisfies never
    }
  }

  /** Writes the content that the disk would have if the power failed after the events that were applied so far. */
  imageAt(target: string, survival: Survival, random: Random): void {
    cpSync(this.#directory, target, { recursive: true })
    if (survival === 'nothing') return
    for (const [path, writes] of this.#pending) {
      const survivors =
        survival === 'everything' ? writes : writes.flatMap(sectorsOf).filter(() => random.number() < 0.5)
      writeAll(join(target, path), survivors)
    }
  }
}

function sectorsOf({ position, bytes }: PendingWrite): PendingWrite[] {
  const sectors: PendingWrite[] = []
  for (let offset = 0; offset < bytes.length;) {
    const length = Math.min(sectorBytes - ((position + offset) % sectorBytes), bytes.length - offset)
    sectors.push({ position: position + offset, bytes: bytes.subarray(offset, offset + length) })
    offset += length
  }
  return sectors
}

function writeAll(path: string, writes: readonly PendingWrite[]): void {
  if (writes.length === 0 || !existsSync(path)) return
  const file = openSync(path, 'r+')
  try {
    for (const { position, bytes } of writes) writeSync(file, bytes, 0, bytes.length, position)
  } finally {
    closeSync(file)
  }
}
