/** Reports of long runs: one file each in `reports/`, which is not in git; docs/ cites them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** A report: what was run and where, and the metrics with their thresholds. */
export type Report = {
  readonly name: string
  readonly title: string
  /** The command, the machine and the sizes; date and commit are added. */
  readonly facts: readonly string[]
  /** Sentences above the metrics. */
  readonly notes: readonly string[]
  readonly metrics: readonly {
    readonly what: string
    readonly value: string
    readonly threshold?: string
    readonly passed: boolean
  }[]
}

/** Writes `reports/<folder>/<name>.md`, in place of the one of an earlier run. */
export function writeReport(folder: 'bench' | 'nightly', content: Report): void {
  const { name, title, facts, notes, metrics } = content
  const [command = '', ...others] = facts
  const report = [
    `# ${title}`,
    '',
    `${[command, new Date().toISOString().slice(0, 10), `commit ${commit()}`, ...others].join(', ')}.`,
    '',
    ...(notes.length === 0 ? [] : [notes.join('\n'), '']),
    '| | found | threshold | |',
    '|---|---|---|---|',
    ...metrics.map(
      ({ what, value, threshold, passed }) =>
        `| ${what} | ${value} | ${threshold ?? ''} | ${threshold === undefined ? '' : passed ? 'met' : '**missed**'} |`,
    ),
    '',
  ].join('\n')
  mkdirSync(`reports/${folder}`, { recursive: true })
  writeFileSync(`reports/${folder}/${name}.md`, report)
}

/** What this machine is, as far as it says. */
export function machineName(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}
