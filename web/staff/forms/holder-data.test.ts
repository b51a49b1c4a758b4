import { expect, test } from 'vitest'
import { readDocumentKind, readDocumentNumber, readPhone } from './holder-data.ts'

test.each([
  ['c.c.', 'CC'],
  ['Cédula de ciudadanía', 'CC'],
  ['Cédula de Extranjería', 'CE'],
  ['Pasaporte', 'PA'],
  ['nit', 'NIT'],
  ['DNI', null],
])('the document kind %s is read as %s', (written, kind) => {
  expect(readDocumentKind(written)).toBe(kind)
})

test.each([
  ['CC', '1.032.456.789', '1032456789'],
  ['CC', '52 123 456', '52123456'],
  ['CC', 'AB123', null],
  ['PA', 'ab-123456', 'AB123456'],
  ['NIT', '890.903.938-8', '890903938-8'],
  ['NIT', '8909039388', '890903938-8'],
  ['NIT', '890903938-7', null],
  ['NIT', '890903938', null],
] as const)('the document %s %s is read as %s', (kind, written, number) => {
  expect(readDocumentNumber(kind, written)).toBe(number)
})

test.each([
  ['300 123 4567', '+573001234567'],
  ['(601) 234-5678', '+576012345678'],
  ['57 300 1234567', '+573001234567'],
  ['0034 612 345 678', '+34612345678'],
  ['+1 (305) 555-0100', '+13055550100'],
  ['1234567', null],
  ['ana@correo.co', null],
])('the telephone %s is read as %s', (written, phone) => {
  expect(readPhone(written)).toBe(phone)
})
