/**
 * Notices the death of npm. Both npm and the shell between npm and this process end without a signal to this process if
 * they are killed. The server would then continue to run, and the operator would not know that it does.
 */
import { readFileSync } from 'node:fs'

const intervalMs = 500

/**
 * Calls `onGone` once npm, or the shell that npm started, has died. Returns the function that begins to watch. Watches
 * nothing unless npm runs the script `start`: another program may deliberately leave the server running.
 */
export function watchLauncher(): (onGone: () => void) => void {
  if (process.env['npm_lifecycle_event'] !== 'start') return () => undefined
  const parent = process.ppid
  // On Debian, npm's shell replaces itself with this process, and npm is the parent. Elsewhere, npm is the parent of
  // the shell.
  const { name, parent: grandparent } = statOf(parent)
  const isGone = () => process.ppid !== parent || (shells.has(name) && statOf(parent).parent !== grandparent)
  return (onGone) => {
    const timer = setInterval(() => {
      if (!isGone()) return
      clearInterval(timer)
      onGone()
    }, intervalMs).unref()
  }
}

const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh'])

/** Returns the name and the parent of a process, as proc(5) describes them. Only Linux reports them. */
function statOf(pid: number): { name: string; parent: string } {
  try {
    const [, name = '', parent = ''] =
      /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { name, parent }
  } catch {
    return { name: '', parent: '' }
  }
}
