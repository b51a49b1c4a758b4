/**
 * The slices: parts of the night that take at most twenty minutes, in a smaller size. `.ci/run` runs the slice that
 * follows from its commit, so that all slices come round.
 */
import { execFileSync } from 'node:child_process'
import type { ProofName } from './proofs.ts'

/**
 * A proof at a part of its full size. `seconds` is how long it took at this scale on 2 × AMD EPYC vCPU, while other
 * programs used both cores; `null` before its first run at this scale.
 */
export type Part = { readonly proof: ProofName; readonly scale: number; readonly seconds: number | null }

export const slices: Readonly<Record<string, readonly Part[]>> = {
  ledger: [
    { proof: 'model', scale: 0.2, seconds: 137 },
    { proof: 'tampering', scale: 0.2, seconds: 18 },
    { proof: 'transfer-races', scale: 0.2, seconds: 95 },
  ],
  kills: [{ proof: 'bank', scale: 0.2, seconds: 705 }],
  sessions: [
    { proof: 'secrets', scale: 0.1, seconds: 68 },
    { proof: 'refresh-model', scale: 0.02, seconds: 55 },
  ],
  disk: [
    { proof: 'disk-full', scale: 0.2, seconds: null },
    { proof: 'power-loss', scale: 0.3, seconds: null },
    { proof: 'backup', scale: 0.1, seconds: null },
  ],
  wire: [
    { proof: 'fuzz', scale: 0.1, seconds: null },
    { proof: 'schemas', scale: 0.1, seconds: null },
    { proof: 'realtime', scale: 0.1, seconds: null },
    { proof: 'policies', scale: 1, seconds: null },
    { proof: 'deno', scale: 1, seconds: null },
  ],
  process: [
    { proof: 'process', scale: 1, seconds: null },
    { proof: 'files', scale: 0.2, seconds: null },
  ],
  engines: [{ proof: 'engines', scale: 1, seconds: null }],
  pages: [{ proof: 'pages', scale: 1, seconds: null }],
}

/**
 * The slices that `auto` selects. A slice comes into this list after all its parts have passed at their scale. A slice
 * that fails for another reason than its commit would teach its readers to ignore it.
 */
export const inTurn: readonly string[] = ['ledger', 'kills', 'sessions']

/**
 * Proofs that are too long for a slice, or that need programs that an ordinary machine lacks. Before a release, each of
 * them runs at its full size, and docs/reliability.md records the day. A slice also contains a small version of
 * `power-loss`.
 */
export const beyondSlices: readonly ProofName[] = ['power-loss', 'cluster', 'patroni', 'scaling', 'browsers']

/** Returns the parts of the slice with this name. The name `auto` stands for the slice that the commit selects. */
export function sliceOf(name: string): { readonly name: string; readonly parts: readonly Part[] } {
  const chosen = name === 'auto' ? automaticSlice(currentCommit()) : name
  const parts = slices[chosen]
  if (parts === undefined)
    throw new Error(`The slice ${name} does not exist: auto, ${Object.keys(slices).join(', ')}.`)
  return { name: chosen, parts }
}

/** Returns the name of the slice that a commit selects. The hashes of commits are distributed evenly over the slices. */
export function automaticSlice(commit: string): string {
  return inTurn[Number.parseInt(commit.slice(0, 8), 16) % inTurn.length] ?? ''
}

function currentCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
}
