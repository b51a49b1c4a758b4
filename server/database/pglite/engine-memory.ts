/**
 * Limits the embedded engine's memory (docs/overload.md). By default, the memory can grow to 2 GiB, which is more than
 * the process may use, and the memory never shrinks. If a statement would exceed the limit, the engine refuses the
 * statement with the error code 53200, like a PostgreSQL server.
 */

const engineMemoryBytesMax = 768 * 1024 * 1024
const pageBytes = 64 * 1024

/** The members of the global `WebAssembly` that Node's types do not declare. */
declare const WebAssembly: {
  readonly Memory: { prototype: { readonly buffer: ArrayBufferLike; grow: (pages: number) => number } }
}

/**
 * Limits every WebAssembly memory that this thread creates or grows from now on. The engine has no setting for the
 * limit.
 */
export function limitEngineMemory(): void {
  const memory = WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function bounded(this: typeof memory, pages) {
    if (this.buffer.byteLength + pages * pageBytes > engineMemoryBytesMax)
      throw new RangeError('The embedded engine may not have more memory.')
    return grow.call(this, pages)
  }
}
