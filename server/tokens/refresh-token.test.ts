import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RefreshTokenKey } from './refresh-token.ts'

const key = RefreshTokenKey.of('a secret of more than thirty-two characters')
const tokens = fc.record({ sessionId: fc.uuid(), counter: fc.maxSafeNat() })

test('a decoded token has the values from which it was encoded', () => {
  fc.assert(
    fc.property(tokens, (token) => {
      const text = key.write(token)

      expect(text).toMatch(/^[\w-]{55}$/)
      expect(key.read(text)).toEqual({ ok: true, token })
    }),
  )
})

test('a token in which any single character was changed is refused', () => {
  fc.assert(
    fc.property(tokens, fc.nat(54), fc.constantFrom(...'ABCXYZabcxyz0189-_'), (token, place, character) => {
      const text = key.write(token)
      const changed = text.slice(0, place) + character + text.slice(place + 1)

      fc.pre(changed !== text)
      expect(key.read(changed).ok).toBe(false)
    }),
  )
})

test('a text that is not a token is malformed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(key.read(text)).toEqual({ ok: false, reason: 'malformed' })
    }),
  )
})

test('a token that was signed with another key counts as forged', () => {
  const other = RefreshTokenKey.of('another secret of more than thirty-two characters')

  const verdict = key.read(other.write({ sessionId: '6f0f3c1e-0000-4000-8000-000000000000', counter: 0 }))

  expect(verdict).toEqual({ ok: false, reason: 'forged' })
})

test('a token signed with the previous secret is read, and new tokens are signed with the current secret', () => {
  const former = 'a former secret of more than thirty-two characters'
  const token = { sessionId: '6f0f3c1e-0000-4000-8000-000000000000', counter: 1 }
  const both = RefreshTokenKey.of('another secret of more than thirty-two characters', former)

  expect(both.read(RefreshTokenKey.of(former).write(token))).toEqual({ ok: true, token })
  expect(RefreshTokenKey.of(former).read(both.write(token))).toEqual({ ok: false, reason: 'forged' })
})

test('a token with characters that decoding skips is refused', () => {
  const text = key.write({ sessionId: '6f0f3c1e-0000-4000-8000-000000000000', counter: 3 })

  expect(key.read(`${text}=`)).toEqual({ ok: false, reason: 'malformed' })
  expect(key.read(` ${text}`)).toEqual({ ok: false, reason: 'malformed' })
})
