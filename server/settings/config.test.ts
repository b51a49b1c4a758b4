import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import type { Setting } from './kinds.ts'
import { ConfigError } from './rules.ts'
import { settingNames, settings } from './settings.ts'

test('without any variables the server is local and uses the embedded engine and the default name of the bank', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:3000',
    isDefaultSite: true,
    database: null,
    mail: null,
    administrator: { email: 'admin@finanzas.local', password: null },
    brandName: 'Banco Finanzas',
    displayCurrency: 'USD',
    passwordLengthMin: 8,
    features: [],
    bankSettings: {
      staff_proof: 'on',
      staff_proof_above: 2_500,
      staff_self_dealing: 'allow',
      staff_approval_above: null,
      transfer_automatic_max: 125,
      transfer_max: 1_250,
      transfer_day_max: 2_500,
      transfer_expires_hours: 72,
      clearing_account: 'NOTPROVIDED',
    },
    autoconfirm: false,
    rateLimits: true,
    trustProxy: [],
  })
})

test('an empty variable counts as unset, except the two variables that disable a third party', () => {
  const config = readConfig({ PORT: '', DATABASE_URL: '', AVATAR_URL: '', CHART_URL: '' })

  expect(config).toMatchObject({ port: 3000, database: null, avatarUrl: '', chartUrl: '' })
})

test.each([
  ['PORT', 'http'],
  ['SITE_URL', 'banco.example'],
  ['SITE_URL', 'ftp://banco.example'],
  ['SITE_URL', 'https://banco.example/banca'],
  ['SITE_URL', 'https://banco.example/?a=1'],
  ['SITE_URL', 'https://banco.example/#inicio'],
  ['SITE_URL', 'https://user:password@banco.example'],
  ['DATA_DIR', 'postgres://localhost/bank'],
  ['DATABASE_URL', 'mysql://localhost/bank'],
  ['DATABASE_URL', 'postgres:///bank'],
  ['DATABASE_URL', 'postgres://user:password@/bank?host=localhost'],
  // The lowest values that protect people. The tests below take the other limits from the table of settings.
  ['PASSWORD_MIN_LENGTH', '7'],
  ['TRANSFER_MAX', '0'],
  ['TRANSFER_DAY_MAX', '0'],
  ['TRANSFER_EXPIRES_HOURS', '721'],
  ['SMTP_URL', 'smtp://localhost:25'],
  ['ADMIN_PASSWORD', 'corta'],
  ['ADMIN_PASSWORD', '12345678'],
  ['ADMIN_PASSWORD', 'Contraseña1'],
  ['ADMIN_PASSWORD', 'BancoFinanzas2024'],
  ['ADMIN_PASSWORD', 'x'.repeat(129)],
  ['JWT_SECRET', 'too short'],
  ['JWT_SECRET', 'super-secret-jwt-token-with-at-least-32-characters-long'],
  ['JWT_SECRET_PREVIOUS', 'too short'],
  ['JWT_SECRET_PREVIOUS', 'super-secret-jwt-token-with-at-least-32-characters-long'],
  ['DISPLAY_CURRENCY', 'pesos'],
  ['DISPLAY_CURRENCY', 'EUR'],
  ['TRUST_PROXY', 'haproxy'],
  ['TRUST_PROXY', '127.0.0.1, haproxy'],
  ['TRUST_PROXY', '10.0.0.0/99'],
  ['TRUST_PROXY', 'true'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://banco.example/path'],
  ['AVATAR_URL', 'https://avatars.example/'],
  ['AUTH_AUTOCONFIRM', 'yes'],
  ['AUTH_RATE_LIMITS', 'sí'],
  ['SUPPORT_CONTACT', 'línea 1\nlínea 2'],
  ['BRAND_NAME', 'Banco\nFinanzas'],
  ['BANK_TAX_NUMBER', '890903938'],
  ['BANK_TAX_NUMBER', '890903938-7'],
  ['BANK_ADDRESS', 'Calle 1\nBogotá'],
  ['BANK_PHONE', 'el de siempre'],
  ['PAPER_CERTIFICATE_PASSWORD', 'contraseña'],
  ['MAIL_FROM', 'Banco'],
  ['MAIL_FROM', 'banco@uno.example, banco@dos.example'],
  ['MAIL_FROM', 'Banco <banco.example>'],
  ['OPERATOR_EMAIL', 'operador'],
  ['LOG_LEVEL', 'loud'],
  ['STAFF_PROOF', 'no'],
  ['STAFF_PROOF_ABOVE', 'mucho'],
  ['STAFF_SELF_DEALING', 'no'],
  ['CLEARING_ACCOUNT', '123-456'],
])('%s=%s is refused with the name of the variable', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrowError(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrowError(name)
})

const numbers = Object.entries<Setting>(settings).flatMap(([name, { range }]) =>
  range === undefined ? [] : [{ name, ...range }],
)

test.each(numbers)('$name is refused outside $least to $most', ({ name, least, most }) => {
  for (const value of [least - 1, most + 1])
    expect(() => readConfig({ [name]: String(value) })).toThrowError(new RegExp(`^${name} debe ser `))
})

test.each(numbers)('$name is refused unless it consists of digits only', ({ name, least }) => {
  for (const value of ['10.000', '1e3', '0x10', `${least}.0`, `+${least}`, ` ${least}`, '60.'])
    expect(() => readConfig({ [name]: value })).toThrowError(
      new RegExp(`^${name} debe ser .*solo con cifras`),
    )
})

test('the configuration reads every setting', () => {
  const read = new Set<string>()
  readConfig(new Proxy({}, { get: (_nothing, name) => void read.add(String(name)) }))

  expect([...read].toSorted()).toEqual(settingNames.toSorted())
})

test('FEATURES is a list of known features, each of which counts once', () => {
  expect(readConfig({ FEATURES: ' transferencias,transferencias, ' }).features).toEqual(['transferencias'])
  expect(() => readConfig({ FEATURES: 'transferencias, trueques' })).toThrowError(
    'FEATURES debe ser una lista de funciones separadas por comas, de entre estas: transferencias, notificaciones.',
  )
})

test('each currency has its own limits for transfers, which the operator can change', () => {
  expect(readConfig({ DISPLAY_CURRENCY: 'COP', TRANSFER_MAX: '7000000' }).bankSettings).toMatchObject({
    transfer_automatic_max: 500_000,
    transfer_max: 7_000_000,
    transfer_day_max: 10_000_000,
    transfer_expires_hours: 72,
  })
})

test('TRUST_PROXY accepts addresses, networks and network names', () => {
  const list = '127.0.0.1, 10.0.0.0/8,fd00::1, 172.28.0.0/255.255.255.0, loopback'

  expect(readConfig({ TRUST_PROXY: list }).trustProxy).toEqual(list.split(',').map((each) => each.trim()))
})

test('a slash at the end of the site’s URL is removed', () => {
  expect(readConfig({ SITE_URL: 'https://banco.example/' }).siteUrl).toBe('https://banco.example')
  expect(readConfig({ SITE_URL: 'https://Bañco.example:443' }).siteUrl).toBe('https://Bañco.example:443')
})

test.each([
  ['AUTH_AUTOCONFIRM', 'true'],
  ['AUTH_RATE_LIMITS', 'off'],
])('%s=%s is refused for a site that other machines can reach', (name, value) => {
  const started = (others: Record<string, string>) => () => readConfig({ [name]: value, ...others })

  expect(started({ HOST: '0.0.0.0' })).toThrowError('loopback')
  // The site is behind a proxy on the same machine.
  expect(started({ SITE_URL: 'https://banco.example' })).toThrowError('SITE_URL')
  expect(started({ SITE_URL: 'https://127.0.0.1.banco.example' })).toThrowError('SITE_URL')
  expect(started({ TRUST_PROXY: '127.0.0.1' })).toThrowError('TRUST_PROXY')
  expect(started({ HOST: '::1', SITE_URL: 'http://[::1]:3000' })).not.toThrow()
  expect(started({ SITE_URL: 'http://127.0.0.1:3000' })).not.toThrow()
  expect(started({ SITE_URL: 'http://bench.localhost' })).not.toThrow()
  expect(started({ SITE_URL: 'https://bancolocalhost' })).toThrowError('SITE_URL')
})

test('the directory of a Unix socket becomes the host, and the URL keeps the user and the password', () => {
  const urlOf = (value: string) => readConfig({ DATABASE_URL: value }).database?.url

  expect(urlOf('postgres:///bank?host=/run/postgresql')).toBe('postgres://%2Frun%2Fpostgresql/bank')
  expect(urlOf('postgresql://user:p%2Fw@/bank?sslmode=disable&host=/run/postgresql')).toBe(
    'postgresql://user:p%2Fw@%2Frun%2Fpostgresql/bank?sslmode=disable',
  )
})

test.each([
  'postgres://u:geheim@a:5432,b:5432/bank?target_session_attrs=read-write',
  'postgres://u:geheim@a,b/bank',
  'postgresql://u:geheim@/bank?host=/run/one,/run/two',
  'postgres://u:geheim@a/bank?target_session_attrs=read-write',
  'postgres://u:geheim@a/bank?load_balance_hosts=random',
])('DATABASE_URL=%s is refused because the URL names exactly one server', (value) => {
  const sentence = /^(?!.*geheim)DATABASE_URL nombra un solo servidor.*pon delante HAProxy/
  expect(() => readConfig({ DATABASE_URL: value })).toThrowError(sentence)
})

test('a comma in the password of DATABASE_URL does not name a second server', () => {
  const value = 'postgres://u:a,b@h/bank?options=-c%20search_path%3Da,b'

  expect(readConfig({ DATABASE_URL: value }).database?.url).toBe(value)
})

test('the error about a refused database URL does not repeat the password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://u:geheim@h/db' })).toThrowError(/^(?!.*geheim)/)
})
