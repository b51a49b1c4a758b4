/** Reports that programs write into the documentation: one section for each run, between the lines that name it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** A section: what was run and where, and what was found against which line. */
export type Section = {
  readonly name: string
  readonly title: string
  /** The command, the machine and the sizes; date and commit are added. */
  readonly facts: readonly string[]
  /** Sentences above the figures. */
  readonly notes: readonly string[]
  readonly figures: readonly {
    readonly what: string
    readonly value: string
    readonly line?: string
    readonly isMet: boolean
  }[]
}

/** Replaces a section of the report. Throws when the report has no place for it. */
export function writeSection(file: string, section: Section): void {
  const { name, title, facts, notes, figures } = section
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const report = readFileSync(file, 'utf8')
  const [from, to] = [report.indexOf(begin), report.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${file} has no place for ${name}.`)
  const [command = '', ...others] = facts
  const part = [
    begin,
    `### ${title}`,
    '',
    `${[command, new Date().toISOString().slice(0, 10), `commit ${commit()}`, ...others].join(', ')}.`,
    '',
    ...(notes.length === 0 ? [] : [notes.join('\n'), '']),
    '| | found | line | |',
    '|---|---|---|---|',
    ...figures.map(
      ({ what, value, line, isMet }) =>
        `| ${what} | ${value} | ${line ?? ''} | ${line === undefined ? '' : isMet ? 'met' : '**missed**'} |`,
    ),
    '',
  ].join('\n')
  writeFileSync(file, report.slice(0, from) + part + report.slice(to))
}

/** What this machine is, as far as it says. */
export function machineName(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}
