import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The options of `navigator.credentials.create` that this file uses. */
export type CreationOptions = {
  readonly challenge: unknown
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: unknown }
}
export type RequestOptions = { readonly challenge: unknown; readonly rpId?: string }

/** Values that replace the correct values, to imitate an attacker or a faulty browser or authenticator. */
export type Faults = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly counter?: number
  readonly flags?: number
  readonly attestation?: { readonly format: string; readonly statement: Buffer }
}

const isPresent = 0x01
const isVerified = 0x04
const hasCredential = 0x40

/**
 * Simulates a browser with one passkey (ES256, attestation "none"). The results are in the JSON format of WebAuthn
 * level 3.
 */
export class SoftwarePasskey {
  readonly id: Buffer
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  counter = 0

  constructor(origin: string, id: Buffer = randomBytes(16)) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.id = id
    this.#origin = origin
    this.#key = privateKey
    // A CBOR map with the key type (EC2), the algorithm (ES256), the curve (P-256) and the coordinates of the
    // public key (RFC 9053).
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }

  /** Returns the result of `navigator.credentials.create`. */
  make(options: CreationOptions, faults: Faults = {}) {
    const clientData = this.#clientData('webauthn.create', options.challenge, faults)
    const flags = faults.flags ?? isPresent | isVerified | hasCredential
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.id.length)
    const data = Buffer.concat([
      this.#authenticatorData(faults.rpId ?? options.rp.id ?? '', { ...faults, flags }),
      Buffer.alloc(16),
      idLength,
      this.id,
      this.#publicKey,
    ])
    const { format, statement } = faults.attestation ?? {
      format: 'none',
      statement: Buffer.from('a0', 'hex'),
    }
    const attestationObject = Buffer.concat([
      Buffer.from('a3', 'hex'),
      textOf('fmt'),
      textOf(format),
      textOf('attStmt'),
      statement,
      textOf('authData'),
      Buffer.from('59', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'no such one'],
    })
  }

  /** Returns the result of `navigator.credentials.get`. */
  show(options: RequestOptions, faults: Faults = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, faults)
    this.counter = faults.counter ?? this.counter + 1
    const flags = faults.flags ?? isPresent | isVerified
    const data = this.#authenticatorData(faults.rpId ?? options.rpId ?? '', { counter: this.counter, flags })
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key).toString('base64url'),
    })
  }

  #clientData(type: string, challenge: unknown, faults: Faults): Buffer {
    const asked = faults.challenge ?? bufferOf(challenge).toString('base64url')
    const origin = faults.origin ?? this.#origin
    return Buffer.from(
      JSON.stringify({ type: faults.type ?? type, challenge: asked, origin, crossOrigin: false }),
    )
  }

  #authenticatorData(rpId: string, { counter = 0, flags = 0 }: Faults): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
  }

  /** Adds the method `toJSON`, which the client calls. */
  #credential(response: Readonly<Record<string, unknown>>) {
    const id = this.id.toString('base64url')
    const json = { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
    return { ...json, toJSON: () => json }
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Encodes a short text in CBOR (RFC 8949, 3.1). */
function textOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

/**
 * Converts a value to bytes. supabase-js passes binary values as bytes, but on the wire they are base64url strings.
 */
function bufferOf(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'base64url')
  return ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value as ArrayBuffer)
}
