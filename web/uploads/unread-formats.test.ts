import { expect, test } from 'vitest'
import { zipOf } from '#testing/workbook.ts'
import { contentOf } from './content.ts'
import { unreadFormatOf } from './unread-formats.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf16 = (text: string) => [...text].map((letter) => `${letter}\0`).join('')
const zip = (...names: string[]) =>
  String.fromCharCode(...zipOf(Object.fromEntries(names.map((name) => [name, '']))))
const container = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

test.for([
  ['%PDF-1.7\n', 'pdf'],
  [`${container}${utf16('Workbook')}`, 'oldExcel'],
  ['\x09\x08\x10\0\0\x06', 'oldExcel'],
  [`${container}${utf16('EncryptedPackage')}`, 'encrypted'],
  [`${container}${utf16('WordDocument')}`, 'word'],
  [`${container}${utf16('__substg1.0_1000')}`, 'mail'],
  ['\x89PNG\r\n\x1a\n', 'image'],
  ['\xff\xd8\xff\xe0', 'image'],
  ['\0\0\0\x18ftypheic', 'image'],
  ['\x1f\x8b\x08\0', 'archive'],
  [zip('extracto.csv'), 'archive'],
  [zip('xl/workbook.bin'), 'binaryExcel'],
  [zip('xl/workbook.xml'), null],
  [zip('word/document.xml'), 'word'],
  [zip('Index/Document.iwa'), 'numbers'],
  ['{"transactions": [{"amount": 1}]}', 'json'],
  ['[{"fecha":"2026-11-03"}]', 'json'],
  [':20:X\n:25:1\n:28C:1\n:34F:USD0,\n:13D:2611031200+0000\n', 'mt942'],
  ['01,122099999,123456789,261103,0200,1,,,2/\n02,031001234,122099999,1/\n', 'bai2'],
  ['From: banco@banco.example\nContent-Type: multipart/mixed\n', 'mail'],
  [
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Location: file:///C:/hoja.htm\nContent-Type: text/html\n',
    'webArchive',
  ],
  ['\x01\x02\x03\x04\x05\x06\x07\x08', 'binary'],
  ['Fecha;Valor\n03/11/2026;-1,00\n', null],
  ['[Extracto];1\n', null],
  ['{\\rtf1 Extracto}', 'word'],
] as const)('a file that begins with %j is named as %s', ([text, format]) => {
  expect(unreadFormatOf(contentOf(bytes(text)))).toBe(format)
})

test.for([
  [
    'zeros behind the last line',
    'Panadería;-12,50\n',
    (text: string) => new Uint8Array([...new TextEncoder().encode(text), ...new Uint8Array(900)]),
  ],
  [
    'a letter that was cut in two',
    'Panadería;-12,50\nCafé',
    (text: string) => new TextEncoder().encode(text).subarray(0, -1),
  ],
  ['a named encoding', 'charset="iso-8859-15" \xa4 Panader\xeda', bytes],
] as const)('a text with %s keeps its letters', ([, text, encode]) => {
  expect(contentOf(encode(text)).text).toMatch(
    /^(?:Panadería;-12,50\n(?:Caf.)?|charset="iso-8859-15" € Panadería)$/,
  )
})
