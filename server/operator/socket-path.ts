/** Where the operator's socket of a data directory is. */
import { join, relative } from 'node:path'
import { DataDirectoryError } from '#database/pglite/data-directory.ts'

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const pathBytesMax = 103

/**
 * The address to listen at and to connect to: the shorter way of two, because the system takes short ones
 * only. Throws `DataDirectoryError` when both are too long.
 */
export function socketPath(dataDir: string): string {
  if (process.platform === 'win32') return String.raw`\\.\pipe\finanzas-` + dataDir.replaceAll(/[^\w]/g, '-')
  const absolute = join(dataDir, 'operator.sock')
  const path = [absolute, relative(process.cwd(), absolute)].find(
    (candidate) => Buffer.byteLength(candidate) <= pathBytesMax,
  )
  if (path === undefined) {
    throw new DataDirectoryError(
      `La ruta de DATA_DIR (${dataDir}) es demasiado larga para el socket del operador. Elige una más corta.`,
    )
  }
  return path
}
