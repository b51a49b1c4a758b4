import { expect, test } from 'vitest'
import { readSender } from './sender.ts'

test.each([
  ['no-reply@banco.example', 'Banco', 'no-reply@banco.example'],
  [' correo@servidor ', 'Banco', 'correo@servidor'],
  ['<no-reply@banco.example>', 'Banco', 'no-reply@banco.example'],
  ['"Avisos, S. A." <no-reply@banco.example>', 'Avisos, S. A.', 'no-reply@banco.example'],
  ['Avisos, Banco de Ñ <no-reply@banco.example>', 'Avisos, Banco de Ñ', 'no-reply@banco.example'],
])('%j is the sender %s with the address %s', (text, name, address) => {
  expect(readSender(text, 'Banco')).toEqual({ name, address })
})

test.each([
  '',
  'Banco',
  'banco.example',
  'a@uno.example, b@dos.example',
  'Banco <banco.example>',
  'Banco <a@b.example> <c@d.example>',
  'Banco\r\nBcc: c@d.example <a@b.example>',
  'Banco <a@b.example',
  '"Banco <a@b.example>',
])('%j is not a sender', (text) => {
  expect(readSender(text, 'Banco')).toBeNull()
})
