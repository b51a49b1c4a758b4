// `npm run settings`: writes the parts of the documents and of the SQL that come from the table of settings.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Feature, features } from '@finanzas/contract/wire/features.ts'
import { enforcedSettings } from '#server/settings/enforced-settings.ts'
import type { Setting, Stored } from '#server/settings/kinds.ts'
import { settingNames, settings } from '#server/settings/settings.ts'
import { root } from '#tools/tree.ts'

/** A part of a file that the command writes. It stands between two lines, which begin with the marks. */
type Part = {
  readonly path: string
  readonly begin: string
  readonly end: string
  readonly lines: () => string[]
}

/** Settings that the compose file does not pass on, with the reason. */
export const notInCompose: Readonly<Record<string, string>> = {
  PORT: 'The image sets the address and the data directory.',
  HOST: 'The image sets the address and the data directory.',
  DATA_DIR: 'The image sets the address and the data directory.',
  BACKGROUND_WORK: 'A bank that serves customers does its work.',
  DATABASE_DIRECT_URL: 'The compose file includes its own database and does not use a connection pooler.',
  DATABASE_ALLOW_SUPERUSER:
    'The compose file includes its own database and does not use a connection pooler.',
  AUTH_AUTOCONFIRM: 'A public server refuses to start with it.',
  AUTH_RATE_LIMITS: 'A public server refuses to start with it.',
}

export const parts: readonly Part[] = [
  {
    path: 'docs/operations.md',
    begin: '<!-- `npm run settings` writes this table',
    end: '<!-- The end of the table of settings',
    lines: tableLines,
  },
  {
    path: 'deploy/compose.yaml',
    begin: '    # `npm run settings` writes these lines',
    end: '    # The end of the settings',
    lines: composeLines,
  },
  {
    path: 'supabase/schemas/ground/tables.sql',
    begin: '-- `npm run settings` writes these rows',
    end: '-- The end of the settings',
    lines: rowLines,
  },
]

if (import.meta.main)
  for (const part of parts) writeFileSync(join(root, part.path), withPart(textOf(part), part))

export function textOf({ path }: Part): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Returns the text of a file with its part as the table of settings gives it. */
export function withPart(text: string, { path, begin, end, lines }: Part): string {
  const all = text.split('\n')
  const first = all.findIndex((line) => line.startsWith(begin))
  const last = all.findIndex((line) => line.startsWith(end))
  if (first === -1 || last < first) throw new Error(`${path} has no part between the marks.`)
  return [...all.slice(0, first + 1), ...lines(), ...all.slice(last)].join('\n')
}

function tableLines(): string[] {
  const rows = settingNames.map((name) => {
    const setting: Setting = settings[name]
    const { values, meaning, servers = '' } = setting
    return `| \`${name}\` | ${defaultOf(setting)} | ${values} | ${meaning} | ${servers} |`
  })
  return [
    '',
    '| Variable | Default | Values | Meaning | Several servers |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ]
}

function defaultOf({ shownDefault, byDefault, defaults }: Setting): string {
  if (shownDefault !== undefined) return shownDefault
  if (defaults !== undefined) return `\`${defaults.USD}\` with USD, \`${defaults.COP}\` with COP`
  return byDefault === null ? 'unset' : `\`${String(byDefault)}\``
}

function composeLines(): string[] {
  const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
  const isSet = (name: string) => new RegExp(`^ +${name}: \\S`, 'm').test(text)
  return settingNames
    .filter((name) => !Object.hasOwn(notInCompose, name) && !isSet(name))
    .toSorted()
    .map((name) => `    ${name}:`)
}

type Row = { name: string; value: string | null; pattern: string | null; least?: string; most?: string }

function rowLines(): string[] {
  const switches = features.map((name: Feature) =>
    rowOf({ name, value: 'off', pattern: '^(on|off)$' }, 'Whether the bank has enabled this feature.'),
  )
  const rows = Object.entries<Setting & { readonly stored: Stored }>(enforcedSettings).map(
    ([key, setting]) => {
      const { stored, range, choices, byDefault, defaults } = setting
      const { value = defaults?.USD ?? byDefault, meaning } = stored
      const named = { name: key.toLowerCase(), value: value === null ? null : String(value) }
      if (range === undefined)
        return rowOf({ ...named, pattern: stored.pattern ?? `^(${choices?.join('|')})$` }, meaning)
      // A hosted project may have any amount, because no variable is read there.
      const most = setting.values.includes('currency') ? "'infinity'" : String(range.most)
      return rowOf({ ...named, pattern: null, least: String(stored.least ?? range.least), most }, meaning)
    },
  )
  return [
    'insert into private.settings (name, value, pattern, least, most, is_optional, meaning) values',
    ...[...switches, ...rows].map((row, place, all) => `  ${row}${place === all.length - 1 ? ';' : ','}`),
  ]
}

function rowOf({ name, value, pattern, least = 'null', most = 'null' }: Row, meaning: string): string {
  const quoted = (text: string | null) => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)
  return `(${[quoted(name), quoted(value), quoted(pattern), least, most, value === null, quoted(meaning)].join(', ')})`
}
