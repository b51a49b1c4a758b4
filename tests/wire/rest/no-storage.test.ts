// The product stores no files; the client's storage calls are told so, whatever they send.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'

test('a file is refused as upstream refuses one for a bucket that there is not', async () => {
  const { client } = await signUpCustomer()
  const bucket = client.storage.from('fotos')

  const asForm = await bucket.upload('yo.png', new Blob(['x'], { type: 'image/png' }))
  const asBytes = await bucket.upload('yo.png', new Uint8Array([1]), { contentType: 'image/png' })

  expect(asForm.error?.message).toBe('Bucket not found')
  expect(asBytes.error?.message).toBe('Bucket not found')
})
