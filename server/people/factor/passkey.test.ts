// Tests how the server checks an authenticator's response (security.md AN-16; WebAuthn level 3, sections 7.1 and
// 7.2).
import { expect, test } from 'vitest'
import {
  creationOptions,
  readNewPasskey,
  readShownPasskey,
  relyingPartyOf,
  requestOptions,
} from './passkey.ts'
import { type Faults, SoftwarePasskey } from '#people/testing/software-passkey.ts'

const site = relyingPartyOf({ siteUrl: 'https://banco.example/', brandName: 'Banco' })
const bytes = Buffer.alloc(32, 7)
const challenge = bytes.toString('base64url')
const user = { id: '5f0f5a0e-3d53-4a7c-9b0e-1f2d3c4b5a69', email: 'ana@banco.example', fullName: null }

async function make(passkey = new SoftwarePasskey(site.origin), faults: Faults = {}) {
  const options = await creationOptions(site, { bytes, passkeys: [], user })
  return readNewPasskey(site, { challenge, response: passkey.make(options, faults) })
}

async function kept(counter = 0) {
  const passkey = new SoftwarePasskey(site.origin)
  const { credential } = await make(passkey, { counter })
  const passkeys = [{ factorId: 'own', credential }]
  const show = async (faults: Faults = {}, shown = passkey) => {
    const options = await requestOptions(site, { bytes, passkeys })
    return readShownPasskey(site, { challenge, passkeys, response: shown.show(options, faults) })
  }
  return { passkey, credential, show }
}

const otherSite = 'https://otro.example'
const faults: [string, Faults, RegExp][] = [
  ['of another site', { origin: otherSite }, /origin/],
  ['for the site’s address over plain HTTP', { origin: 'http://banco.example' }, /origin/],
  ['for another site’s name', { rpId: 'otro.example' }, /RP ID/],
  ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }, /challenge/],
  ['of the wrong type', { type: 'payment.get' }, /type/],
]

test.each([...faults, ['without a user at the device', { flags: 0x40 }, /present/] as const])(
  'a new passkey %s is refused',
  async (_, fault, reason) => {
    await expect(make(undefined, fault)).rejects.toThrow(reason)
  },
)

test.each([...faults, ['without a user at the device', { flags: 0 }, /present/] as const])(
  'an answer %s is refused',
  async (_, fault, reason) => {
    const { show } = await kept()

    await expect(show(fault)).rejects.toThrow(reason)
  },
)

test('a passkey without user verification is accepted, because the password is the other factor', async () => {
  const { show } = await kept()

  await expect(show({ flags: 1 })).resolves.toMatchObject({ factorId: 'own', signCount: 1 })
})

test('a signature counter must increase or always be zero', async () => {
  const counting = await kept(5)
  const silent = await kept()

  await expect(counting.show({ counter: 6 })).resolves.toMatchObject({ signCount: 6 })
  await expect(silent.show({ counter: 0 })).resolves.toMatchObject({ signCount: 0 })
  for (const counter of [5, 4, 0]) await expect(counting.show({ counter })).rejects.toThrow(/counter/)
})

test('a passkey with a known id but a wrong key is refused, and so is another account’s passkey', async () => {
  const { passkey, show } = await kept()

  await expect(show({}, new SoftwarePasskey(site.origin, passkey.id))).rejects.toThrow(/signature/)
  await expect(show({}, new SoftwarePasskey(site.origin))).rejects.toThrow(/does not belong to this account/)
})

test('only the public data and the known transports of a passkey are stored', async () => {
  const { credential, passkey } = await kept(3)

  expect(credential).toEqual({
    id: passkey.id.toString('base64url'),
    publicKey: expect.stringMatching(/^[\w-]{103}$/) as string,
    transport: ['internal'],
    authenticator: { signCount: 3 },
  })
})

test('a passkey whose id is longer than 1023 bytes is refused', async () => {
  await expect(make(new SoftwarePasskey(site.origin, Buffer.alloc(1023)))).resolves.toBeDefined()
  await expect(make(new SoftwarePasskey(site.origin, Buffer.alloc(1024)))).rejects.toThrow(/too long/)
})

test('an attestation with certificates is refused, because the library would fetch the URLs in it', async () => {
  // { "x5c": [] }
  const statement = Buffer.from('a16378356380', 'hex')

  for (const format of ['packed', 'apple', 'android-key', 'tpm', 'fido-u2f'])
    await expect(make(undefined, { attestation: { format, statement } })).rejects.toThrow(/was not requested/)
})

test('the relying party’s id and origin are derived from the site URL, whose port is part of the origin', () => {
  expect(relyingPartyOf({ siteUrl: 'http://localhost:3000', brandName: 'Banco' })).toEqual({
    id: 'localhost',
    name: 'Banco',
    origin: 'http://localhost:3000',
  })
})
