/** Who had how much of this machine's cores while something was measured on it. Linux only. */
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'

const ticksPerSecond = 100

/** Processor seconds of a process since it started, all its threads together. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name before it may hold anything but this.
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** Processor seconds of all cores since the machine started. */
export function cpuSecondsOfAll(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000
}
