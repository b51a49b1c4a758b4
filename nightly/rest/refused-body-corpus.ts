/** Bodies of the functions that must have no effect (security.md AD-09): right ones with one thing made wrong. */
import type { Random } from '#nightly/places/random.ts'
import { administrator } from '#nightly/places/server-process.ts'

type Json = Record<string, unknown>

/** A call of a function by name, and what is wrong with its body. */
export type Attempt = { readonly name: string; readonly body: string; readonly what: string }

/** What each function takes: wrong bodies are made of these. */
export function validBodies(customerId: string): Readonly<Record<string, readonly Json[]>> {
  return {
    'manage-users': [
      {
        action: 'create',
        email: 'nueva@banco.example',
        password: 'una clave larga',
        role: 'user',
        user_metadata: { full_name: 'Nueva' },
      },
      { action: 'delete', userId: customerId },
    ],
    'manage-transactions': [
      {
        action: 'create',
        transactionData: {
          user_id: customerId,
          type: 'deposit',
          amount: 1,
          description: 'Nómina',
          date: '2026-11-21T10:00:00Z',
          category: 'Deposito',
        },
      },
    ],
    'delete-account': [{ password: administrator.password }],
  }
}

/** Fields that a careless server would take along into a row, or that mean something to JavaScript. */
const strangeNames = [
  'id',
  'role_id',
  'is_admin',
  'app_metadata',
  'aud',
  'balance',
  'recorded_by',
  'constructor',
  'toString',
  'Action',
  'action ',
  'ünknown',
  '',
]
/** Never right, wherever they stand: what may be left out is asked for separately. */
const wrongValues: readonly unknown[] = [
  true,
  false,
  [],
  [1],
  {},
  { $ne: null },
  -1,
  0.001,
  1e300,
  '\u0000',
  '\u202eabc',
  '\u200b',
  ' ',
]
/** Wrong for one field: well written, but such days, offsets and numbers there are not. */
const wrongValuesOf: Readonly<Record<string, readonly unknown[]>> = {
  date: [
    ...wrongValues,
    '2026-02-31T00:00:00Z',
    '2026-04-31T12:00:00-05:00',
    '2026-11-21T00:00:00+20:00',
    '0000-01-01T00:00:00Z',
    '9'.repeat(200),
  ],
  amount: [...wrongValues, '0x1F', '1_000', ' 1', '01', '9'.repeat(200)],
}
const wrongActions = [
  'list',
  'update',
  'CREATE',
  'create ',
  '',
  'constructor',
  '__proto__',
  0,
  null,
  ['create'],
  { create: true },
]
const notObjects = [
  '',
  ' ',
  'null',
  '[]',
  '1',
  '"create"',
  'true',
  '{',
  '{}',
  '{"action":"create"',
  '[{"action":"create"}]',
  '\u0000',
  '{"action":"create",}',
  '<action>create</action>',
  'action=create',
  '\uFEFF',
]

/** A call that is wrong in one thing. */
export function wrongAttempt(random: Random, valid: Readonly<Record<string, readonly Json[]>>): Attempt {
  const name = random.one(Object.keys(valid))
  const body = structuredClone(random.one(valid[name] ?? []))
  const objects = [body, ...Object.values(body).filter(isObject)]
  const target = random.one(objects)
  const field = random.one(Object.keys(target))
  const attempt = (what: string, text = JSON.stringify(body)): Attempt => ({ name, body: text, what })
  switch (random.integer(6)) {
    case 0:
      target[`${random.one(strangeNames)}${random.one(['', '', 'x'])}`] = random.one([
        1,
        'admin',
        null,
        true,
        {},
      ])
      return attempt('an unknown field')
    case 1:
      return attempt(
        'an unknown field',
        JSON.stringify(body).replace(/^\{/, '{"__proto__":{"role":"admin"},'),
      )
    case 2:
      if ('action' in body) body['action'] = random.one(wrongActions)
      else body['password'] = random.one([1, null, [], {}])
      return attempt('an unknown action')
    case 3:
      target[field] = random.one(wrongValuesOf[field] ?? wrongValues)
      // A password may be any text but an empty one, and a name or description any line of it.
      if (field === 'password') target[field] = random.one([true, [], {}, 1, ''])
      return attempt(`another ${field}`)
    case 4:
      if (isOptional(field)) target[field] = random.one([true, [], {}, '\u0000'])
      else delete target[field]
      return attempt(`no ${field}`)
    default:
      return attempt('no object', random.one(notObjects))
  }
}

/** What is filled in where it is left out. */
function isOptional(field: string): boolean {
  return field === 'role' || field === 'date' || field === 'category'
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
