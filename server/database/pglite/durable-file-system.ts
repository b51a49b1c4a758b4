/**
 * A file system for PGlite that keeps its files in a directory and supports fsync. Upstream mounts NODEFS, which lacks
 * fsync, so PostgreSQL wrongly assumes that its data has reached the disk (upstream issue 1107). With NODEFS, every
 * simulated power cut destroyed the database (docs/decisions/0010).
 */
import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from '#data-directory/durable-files.ts'

/** A stream of Emscripten's NODEFS. `nfd` is the host's file descriptor, which a directory lacks. */
type Stream = { nfd?: number; node: object }
type Attributes = { readonly mode?: number | undefined }
type NodeFileSystem = {
  realPath(node: object): string
  node_ops: {
    mknod: (parent: object, name: string, mode: number, device: number) => object
    setattr: (node: object, attributes: Attributes) => void
  }
  stream_ops: { fsync?: (stream: Stream) => number }
}
type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/**
 * Stores the files in a directory of the host. An fsync writes a file to the disk, and other users cannot open the
 * files.
 */
export class DurableFileSystem extends NodeFS {
  #fsyncs = 0

  /** Number of fsyncs so far. The start-up check reads this number to prove that commits are durable. */
  get fsyncs(): number {
    return this.#fsyncs
  }

  override async init(pg: PGlite, options: EmscriptenOptions) {
    const { emscriptenOpts } = await super.init(pg, options)
    const adapt = (module: object) => {
      const { NODEFS } = module as { NODEFS: NodeFileSystem }
      closeFiles(NODEFS)
      NODEFS.stream_ops.fsync = (stream) => {
        this.#fsyncs += 1
        if (stream.nfd === undefined) syncPath(NODEFS.realPath(stream.node))
        else fsyncSync(stream.nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), adapt] } }
  }
}

/**
 * Removes the permissions of other users. Upstream creates world-writable files and sets their modes itself, so the
 * umask has no effect.
 */
function closeFiles({ node_ops: operations }: NodeFileSystem): void {
  const { mknod, setattr } = operations
  operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ownersRights, device)
  operations.setattr = (node, attributes) => {
    const { mode } = attributes
    setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & ownersRights })
  }
}

/** Mask that keeps only the owner's permissions. */
const ownersRights = ~0o077
