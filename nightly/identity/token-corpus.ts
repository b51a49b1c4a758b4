/** Access tokens that must be refused (security.md §3.4): everything about a real one that can be wrong, one thing at a time. */
import { createHmac, randomUUID } from 'node:crypto'

/** A real session, and the key that signed it. */
export type Genuine = {
  readonly token: string
  readonly refreshToken: string
  readonly anonKey: string
  readonly secret: string
}

/** A token that must open nothing, and what is wrong with it. */
export type Mutant = { readonly what: string; readonly token: string }

type Json = Record<string, unknown>

/** Everything that somebody thought of. */
export function craftedMutants({ token, refreshToken, anonKey, secret }: Genuine): Mutant[] {
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = parse(head)
  const claims = parse(body)
  const sign = (h: Json, c: unknown, key = secret) => signed(encode(h), encode(c), key)
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
  const withClaim = (what: string, change: Json): Mutant => ({
    what,
    token: sign(header, { ...claims, ...change }),
  })
  const now = Math.floor(Date.now() / 1000)
  return [
    ...['none', 'None', 'nOnE', 'NONE', ''].flatMap((alg) => [
      { what: `alg ${alg} without a signature`, token: `${encode({ ...header, alg })}.${body}.` },
      {
        what: `alg ${alg} with the old signature`,
        token: `${encode({ ...header, alg })}.${body}.${signature}`,
      },
    ]),
    ...['HS384', 'HS512', 'RS256', 'ES256', 'PS256', 'EdDSA'].map((alg) => ({
      what: `alg ${alg}, signed with HS256`,
      token: sign({ ...header, alg }, claims),
    })),
    { what: 'no signature', token: `${head}.${body}.` },
    { what: 'two parts', token: `${head}.${body}` },
    { what: 'four parts', token: `${token}.${signature}` },
    { what: 'half a signature', token: `${head}.${body}.${signature.slice(0, 20)}` },
    { what: 'the signature of the anon key', token: `${head}.${body}.${anonKey.split('.')[2] ?? ''}` },
    ...[
      '',
      ' ',
      'secret',
      'super-secret-jwt-token-with-at-least-32-characters-long',
      `${secret} `,
      anonKey,
    ].map((key) => ({
      what: 'another key',
      token: signed(head, body, key === '' ? '\0' : key),
    })),
    ...[
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
      { b64: false, crit: ['b64'] },
      { zip: 'DEF', crit: ['zip'] },
    ].map((extra) => ({
      what: `header ${JSON.stringify(extra)}`,
      token: sign({ ...header, ...extra }, claims),
    })),
    ...[
      { kid: '../../../../dev/null' },
      { kid: "' or 1=1 --" },
      { jku: 'http://127.0.0.1:1/keys' },
      { x5u: 'http://127.0.0.1:1/' },
      { jwk: { kty: 'oct', k: 'c2VjcmV0' } },
    ].map((extra) => ({
      what: `header ${JSON.stringify(extra)} and its key`,
      token: signed(encode({ ...header, ...extra }), body, 'secret'),
    })),
    { what: 'an encrypted token', token: `${encode({ alg: 'dir', enc: 'A128GCM' })}..AAAA.BBBB.CCCC` },
    { what: 'a token in a token', token: sign(header, token) },
    { what: 'a list of claims', token: sign(header, [claims]) },
    { what: 'null for claims', token: sign(header, null) },
    ...[0, -1, now - 3600, now - 31, '9999999999', 'mañana', null, true, [9999999999], { $gt: 0 }].map(
      (exp) => withClaim(`exp ${JSON.stringify(exp)}`, { exp }),
    ),
    ...[now + 3600, '0', {}].map((nbf) => withClaim(`nbf ${JSON.stringify(nbf)}`, { nbf })),
    ...[now + 3600, now + 60, '0', null, {}].map((iat) => withClaim(`iat ${JSON.stringify(iat)}`, { iat })),
    ...['', 'other', 'https://elsewhere.example/auth/v1', `${String(claims['iss'])}/`, ['x'], null, 1].map(
      (iss) => withClaim(`iss ${JSON.stringify(iss)}`, { iss }),
    ),
    ...['exp', 'iat', 'iss', 'sub', 'aud', 'role', 'session_id'].map((name) => ({
      what: `no ${name}`,
      token: sign(header, without(name)),
    })),
    ...['anon', 'other', '', ['authenticated'], [], null, 1].map((aud) =>
      withClaim(`aud ${JSON.stringify(aud)}`, { aud }),
    ),
    ...[
      '',
      'x',
      null,
      1,
      {},
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      "'; drop table auth.users; --",
    ].map((sub) => withClaim(`sub ${JSON.stringify(sub)}`, { sub })),
    ...[
      'service_role',
      'postgres',
      'supabase_auth_admin',
      'authenticator',
      'anon',
      '"; reset role; --',
      '',
      null,
      1,
      ['authenticated'],
    ].map((role) => withClaim(`role ${JSON.stringify(role)}`, { role })),
    ...[randomUUID(), '', null, 1, 'x', String(claims['sub'])].map((session_id) =>
      withClaim(`session_id ${JSON.stringify(session_id)}`, { session_id }),
    ),
    { what: 'padding', token: `${token}=` },
    { what: 'padding in the middle', token: `${head}=.${body}==.${signature}=` },
    { what: 'a blank inside', token: `${head}. ${body}.${signature}` },
    { what: 'a line break inside', token: `${head}.%0A${body}.${signature}` },
    { what: 'two tokens', token: `${token},${token}` },
    { what: 'the refresh token', token: refreshToken },
    { what: 'a word', token: 'undefined' },
    { what: 'the token twice', token: token + token },
    { what: 'very long', token: `${head}.${'A'.repeat(7000)}.${signature}` },
  ]
}

/** So many tokens with one character changed to another, at every place of the token in turn. */
export function flippedMutants({ token }: Genuine, count: number): Mutant[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: count }, (_, index) => {
    const place = (index * 7919) % token.length
    const old = token[place] ?? ''
    const changed = alphabet[(alphabet.indexOf(old) + 1 + (index % 62)) % 64] ?? 'A'
    return {
      what: `character ${place}: ${old} → ${changed}`,
      token: token.slice(0, place) + changed + token.slice(place + 1),
    }
  })
}

function parse(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signed(head: string, body: string, key: string): string {
  return `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`
}
