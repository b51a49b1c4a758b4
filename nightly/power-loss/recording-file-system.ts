/**
 * Replaces the file system of the embedded engine with one that also records its operations (recording-hook.ts). The
 * environment variable RECORDING is the path of the recording.
 */
import { openSync, writeSync } from 'node:fs'
import { relative } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { DurableFileSystem as Real } from '#server/database/pglite/durable-file-system.ts'
import type { FileEvent } from './disk-image.ts'

type Node = { name: string; parent: Node }
type Stream = { node: Node }
type Write = (stream: Stream, memory: Uint8Array, offset: number, length: number, position: number) => number
type Fsync = (stream: Stream) => number
type NodeFileSystem = {
  realPath(node: Node): string
  stream_ops: { write: Write; fsync?: Fsync }
  node_ops: Record<string, (...given: never[]) => unknown>
}

export class DurableFileSystem extends Real {
  readonly #root: string
  readonly #log = openSync(process.env['RECORDING'] ?? '', 'a')

  constructor(directory: string) {
    super(directory)
    this.#root = directory
  }

  override async init(pg: PGlite, options: Parameters<Real['init']>[1]) {
    const { emscriptenOpts } = await super.init(pg, options)
    const record = (module: object) => this.#record((module as { NODEFS: NodeFileSystem }).NODEFS)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), record] } }
  }

  #record(files: NodeFileSystem): void {
    const pathOf = (node: Node) => relative(this.#root, files.realPath(node))
    const { write } = files.stream_ops
    files.stream_ops.write = (stream, memory, offset, length, position) => {
      const written = write(stream, memory, offset, length, position)
      // The bytes are copied, because the engine will overwrite its memory.
      const bytes = Buffer.from(memory.slice(offset, offset + written))
      this.#note({ op: 'write', path: pathOf(stream.node), position, length: written }, bytes)
      return written
    }
    // Calls are recorded whether other code assigns `fsync` before or after this line runs.
    let fsync = files.stream_ops.fsync
    Object.defineProperty(files.stream_ops, 'fsync', {
      get: () => (stream: Stream) => {
        const answer = fsync?.(stream) ?? 0
        this.#note({ op: 'fsync', path: pathOf(stream.node) })
        return answer
      },
      set: (next: Fsync) => {
        fsync = next
      },
    })
    this.#recordNames(files, pathOf)
  }

  /**
   * Records each creation, renaming and removal of a file. These changes are treated as durable at once, whereas file
   * contents are durable only after a sync.
   */
  #recordNames(files: NodeFileSystem, pathOf: (node: Node) => string): void {
    const after = (name: string, eventOf: (...given: never[]) => FileEvent | null) => {
      const original = files.node_ops[name]
      files.node_ops[name] = (...given) => {
        const event = eventOf(...given)
        const answer = original?.(...given)
        if (event !== null) this.#note(event)
        return answer
      }
    }
    const inside = (parent: Node, name: string) => [pathOf(parent), name].filter(Boolean).join('/')
    const isDirectory = (mode: number) => (mode & 0o170_000) === 0o040_000
    after('mknod', (parent: Node, name: string, mode: number) => ({
      op: isDirectory(mode) ? 'mkdir' : 'create',
      path: inside(parent, name),
    }))
    after('unlink', (parent: Node, name: string) => ({ op: 'unlink', path: inside(parent, name) }))
    after('rmdir', (parent: Node, name: string) => ({ op: 'rmdir', path: inside(parent, name) }))
    after('rename', (node: Node, parent: Node, name: string) => ({
      op: 'rename',
      path: pathOf(node),
      to: inside(parent, name),
    }))
    after('setattr', (node: Node, attributes: { size?: number }) =>
      attributes.size === undefined ? null : { op: 'truncate', path: pathOf(node), size: attributes.size },
    )
  }

  #note(event: FileEvent, bytes?: Uint8Array): void {
    const line = Buffer.from(`${JSON.stringify(event)}\n`)
    // Writes the line and the bytes in one call, because another thread may read the length of the recording at any
    // time.
    writeSync(this.#log, bytes === undefined ? line : Buffer.concat([line, bytes]))
  }
}
