import { expect, test } from 'vitest'
import { misspelledSettings } from './misspelled-settings.ts'
import { settingNames } from './settings.ts'

const meantBy = (name: string) => misspelledSettings({ [name]: 'x' })[0]?.meant ?? null

test.each([
  ['METRIC_PORT', 'METRICS_PORT'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DTABASE_ULR', 'DATABASE_URL'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
  ['SITE_ULR', 'SITE_URL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
])('%s is reported as a misspelling of %s', (name, meant) => {
  expect(meantBy(name)).toBe(meant)
})

test.each([
  ...settingNames,
  'PORTS',
  'PGPORT',
  'HTTP_PROXY',
  'BASE_URL',
  'NODE_ENV',
  'PGDATABASE',
  'XDG_DATA_DIRS',
  'DATABASE',
  'npm_config_port',
])('%s is not a misspelled setting', (name) => {
  expect(meantBy(name)).toBeNull()
})
