/**
 * The slices: parts of the night that take at most twenty minutes, in a smaller size. `.ci/run` runs the slice that
 * follows from its commit, so that all slices come round.
 */
import { execFileSync } from 'node:child_process'
import type { ProofName } from './proofs.ts'

/** A proof at a part of its full size, and how long it took at this scale on 2 × AMD EPYC vCPU. */
export type Part = { readonly proof: ProofName; readonly scale: number; readonly seconds: number }

export const slices: Readonly<Record<string, readonly Part[]>> = {
  ledger: [
    { proof: 'model', scale: 0.2, seconds: 60 },
    { proof: 'tampering', scale: 0.5, seconds: 60 },
    { proof: 'transfer-races', scale: 0.2, seconds: 60 },
    { proof: 'backup', scale: 0.2, seconds: 60 },
  ],
  kills: [
    { proof: 'bank', scale: 0.2, seconds: 300 },
    { proof: 'power-loss', scale: 0.3, seconds: 300 },
    { proof: 'disk-full', scale: 0.3, seconds: 60 },
  ],
  wire: [
    { proof: 'fuzz', scale: 0.1, seconds: 60 },
    { proof: 'schemas', scale: 0.1, seconds: 60 },
    { proof: 'refresh-model', scale: 0.1, seconds: 60 },
    { proof: 'realtime', scale: 0.1, seconds: 60 },
    { proof: 'secrets', scale: 0.2, seconds: 60 },
    { proof: 'policies', scale: 1, seconds: 60 },
    { proof: 'deno', scale: 1, seconds: 60 },
  ],
  process: [
    { proof: 'process', scale: 1, seconds: 300 },
    { proof: 'files', scale: 0.2, seconds: 60 },
  ],
  engines: [{ proof: 'engines', scale: 1, seconds: 300 }],
  pages: [{ proof: 'pages', scale: 1, seconds: 300 }],
}

/**
 * Proofs that are too long for a slice, or that need programs that an ordinary machine lacks. Before a release, each of
 * them runs at its full size, and docs/reliability.md records the day. A slice also contains a small version of
 * `power-loss`.
 */
export const beyondSlices: readonly ProofName[] = ['power-loss', 'cluster', 'scaling', 'browsers']

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
  const names = Object.keys(slices)
  return names[Number.parseInt(commit.slice(0, 8), 16) % names.length] ?? ''
}

function currentCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
}
