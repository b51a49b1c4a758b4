/**
 * The embedded engine's memory (docs/overload.md). Left to itself it grows to 2 GiB and never gives any back, which is
 * more than the process may have. A statement that needs more is refused with 53200, as on PostgreSQL.
 */

const engineMemoryBytesMax = 768 * 1024 * 1024
const pageBytes = 64 * 1024

/** Part of the global object that Node's types do not have. */
declare const WebAssembly: {
  readonly Memory: { prototype: { readonly buffer: ArrayBufferLike; grow: (pages: number) => number } }
}

/** Bounds every WebAssembly memory of this thread from now on. The engine has no setting for it. */
export function limitEngineMemory(): void {
  const memory = WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function bounded(this: typeof memory, pages) {
    if (this.buffer.byteLength + pages * pageBytes > engineMemoryBytesMax)
      throw new RangeError('The embedded engine may not have more memory.')
    return grow.call(this, pages)
  }
}
