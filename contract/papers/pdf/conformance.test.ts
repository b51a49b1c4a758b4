// Checks that the structure of a printed statement follows the rules of PDF/A-3, level A (ISO 19005-3), and of PDF/UA-1
// (ISO 14289-1). No validator of these standards can be installed from the registries that CI reaches.
import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { statementCsv } from '@finanzas/contract/papers/csv.ts'
import { statementPdf } from '@finanzas/contract/papers/statement-pdf.ts'
import { latin1 } from '@finanzas/contract/papers/receipt-files.ts'

const row = {
  seq: 12,
  recordedAt: '2026-11-03 14:20',
  day: '2026-11-02',
  description:
    'Mercado «Ñandú» & <Hijos> (€) \\ ‰ \u00AD con palabras que ocupan más de una línea del extracto',
  declared: 'Ana Pérez (nombre declarado) · «Almuerzo»',
  category: 'Comida',
  kind: 'expense',
  isNote: true,
  amountMinor: -1545 as MinorUnits,
  balanceMinor: 0 as MinorUnits,
}
const file = latin1(
  statementPdf(
    statementCsv({
      bankName: 'Banco Ñandú & <Hijos>',
      customer: 'Laura',
      account: '3f2a1c55-1b2c-4d3e-8f90-1234567890ab',
      currency: 'COP',
      month: '2026-11',
      issuedAt: '2026-12-01 09:30',
      openingMinor: 0 as MinorUnits,
      closingMinor: 0 as MinorUnits,
      notedMinor: 0 as MinorUnits,
      lastSeq: 15,
      hash: 'ab'.repeat(32),
      signature: { kid: 'ab'.repeat(16), value: 'cd'.repeat(64) },
      rows: [...Array.from({ length: 40 }, () => row), { ...row, recordedAt: '2026-12-03 14:20' }],
    }),
  ),
)

test('a printed statement follows the rules of PDF/A-3 and PDF/UA-1', () => {
  expect(faultsOf(file)).toEqual([])
})

test.for<[string, string | RegExp, string, string]>([
  ['without a language', '/Lang (es-CO)', '/Long (es-CO)', 'language'],
  ['that is not marked as tagged', '/Marked true', '/Marked null', 'mark'],
  ['that does not show its title', '/DisplayDocTitle true', '/DisplayDocTitle null', 'title shown'],
  ['of another part of PDF/A', '<pdfaid:part>3<', '<pdfaid:part>1<', 'PDF/A-3A'],
  ['that does not declare PDF/UA', '<pdfuaid:part>1<', '<pdfuaid:part>2<', 'PDF/UA-1'],
  [
    'with another title in its metadata',
    '<rdf:li xml:lang="x-default">E',
    '<rdf:li xml:lang="x-default">X',
    'title',
  ],
  ['with another date in its metadata', '2026-12-01T09:30:00', '2026-12-01T09:31:00', 'date'],
  ['without a colour space', '/S /GTS_PDFA1', '/S /GTS_PDFX0', 'output intent'],
  ['with an uncalibrated colour', '0.07 0.1 0.16 rg', '0.07 0.1 0.1 0 k', 'operator'],
  ['with a font that is not embedded', '/FontFile2', '/FontFileX', 'font F1'],
  ['with a font that has no map to Unicode', '/ToUnicode', '/ToUnicodX', 'font F1'],
  ['with text outside its tags', '/H1 <</MCID', '/H9 <</MCID', 'tag of page 0'],
  [
    'with text that belongs to another element',
    '/MCR /Pg 20 0 R /MCID 1>>',
    '/MCR /Pg 20 0 R /MCID 0>>',
    'text of page 0',
  ],
  ['with a heading cell without a scope', '/Scope /Column', '/Scope /Calumn', 'scope'],
  ['with an unknown element', '/S /TD /P', '/S /TX /P', 'structure type'],
  ['with a row that lacks a cell', /(\/S \/TR \/P \d+ 0 R \/K \[)\d+ 0 R /, '$1', 'rows of a table'],
  ['with an element that names another parent', '/S /TR /P', '/S /TR /P 1 0 R %', 'parent'],
  ['with pages in an undefined order', '/Tabs /S', '/Tabs /R', 'tab order'],
  ['with an attachment without a purpose', '/AFRelationship', '/AFRelationshiX', 'attachment'],
  ['with transparency', '/Resources <</Font', '/SMask <</a 0>>/Fon', 'forbidden'],
  ['with encryption', '/Info 3 0 R', '/Encrypt 3 ', 'trailer'],
])('a file %s breaks the rules', ([, right, wrong, fault]) => {
  const broken = file.replace(right, wrong)

  expect(broken).not.toBe(file)
  expect(faultsOf(broken).join('; ')).toContain(fault)
})

/** Returns the names of the broken rules. */
function faultsOf(text: string): string[] {
  const faults: string[] = []
  const must = (rule: string, holds: boolean) => {
    if (!holds) faults.push(rule)
  }
  const objects = new Map(
    Array.from(text.matchAll(/^(\d+) 0 obj\n([^]*?)\nendobj\n/gm), ([, number, body = '']) => [
      Number(number),
      body,
    ]),
  )
  const all = [...objects.values()]
  const at = (number: string | undefined) => objects.get(Number(number)) ?? ''
  const find = (pattern: RegExp, within: string) => pattern.exec(within)?.[1]
  const trailer = text.slice(text.lastIndexOf('trailer'))
  const catalog = at(find(/\/Root (\d+) 0 R/, trailer))
  const info = at(find(/\/Info (\d+) 0 R/, trailer))

  must('header', /^%PDF-1\.7\n%[\u0080-\u00FF]{4}\n/.test(text))
  must('trailer', /\/Info \d+ 0 R \/ID \[<[\da-f]{32}> <[\da-f]{32}>\]>>\n/.test(trailer))
  must(
    'forbidden',
    !/\/(?:Encrypt|JavaScript|JS|OpenAction|AA|XFA|SMask|BM|Group|LZWDecode|Annots)\b/.test(text),
  )
  must('language', catalog.includes('/Lang (es-CO)'))
  must('mark', catalog.includes('/MarkInfo <</Marked true>>'))
  must('title shown', catalog.includes('/DisplayDocTitle true'))

  const xmp = utf8Of(at(find(/\/Metadata (\d+) 0 R/, catalog)))
  const title = find(/<dc:title><rdf:Alt><rdf:li xml:lang="x-default">(.*?)<\/rdf:li>/, xmp)
  must('PDF/A-3A', /<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>A</.test(xmp))
  must('PDF/UA-1', xmp.includes('<pdfuaid:part>1</pdfuaid:part>'))
  must('PDF/UA-1 described', xmp.includes('<pdfaSchema:prefix>pdfuaid<'))
  must(
    'title',
    title?.replaceAll('&lt;', '<').replaceAll('&amp;', '&') === utf16Of(find(/\/Title <FEFF(.*?)>/, info)),
  )
  const dates = Array.from(xmp.matchAll(/<xmp:(?:Create|Modify)Date>(.*?)</g), ([, date = '']) =>
    date.replace(/-05:00$/, '').replaceAll(/\D/g, ''),
  )
  must(
    'date',
    new Set([...dates, find(/\/CreationDate \(D:(\d{14})/, info), find(/\/ModDate \(D:(\d{14})/, info)])
      .size === 1,
  )

  const profile = at(
    find(
      /\/OutputIntents \[<<\/Type \/OutputIntent \/S \/GTS_PDFA1 .*?\/DestOutputProfile (\d+) 0 R/,
      catalog,
    ),
  )
  must(
    'output intent',
    /^<<\/N 3 \/Length 520>>\nstream\n\0\0\x02\x08[^]{12}RGB XYZ [^]{12}acsp/.test(profile),
  )

  const data = at(find(/\/AF \[(\d+) 0 R\]/, catalog))
  must(
    'attachment',
    /\/F \(.*?\) \/UF <.*?> \/AFRelationship \/Data \/Desc <.*?> \/EF <<\/F (\d+) 0 R \/UF \1 0 R>>/.test(
      data,
    ),
  )
  must(
    'attachment type',
    /^<<\/Type \/EmbeddedFile \/Subtype \/text#2Fcsv \/Params <<\/Size \d+ \/ModDate /.test(
      at(find(/\/EF <<\/F (\d+)/, data)),
    ),
  )

  const elements = [...objects].filter(([, body]) => body.startsWith('<</Type /StructElem'))
  const typeOf = (body: string) => find(/\/S \/(\w+)/, body) ?? ''
  const kidsOf = (body: string) =>
    Array.from((find(/\/K \[(.*?)\]/, body) ?? '').matchAll(/(?:^| )(\d+) 0 R/g), ([, kid]) =>
      at(kid),
    ).filter((kid) => kid.startsWith('<</Type /StructElem'))
  const types = elements.map(([, body]) => typeOf(body))
  must(
    'structure type',
    types.every((type) => /^(?:Document|H1|H2|P|Table|THead|TBody|TR|TH|TD)$/.test(type)),
  )
  must(
    'headings',
    types
      .filter((type) => /^H\d/.test(type))
      .join(' ')
      .startsWith('H1 H2'),
  )
  must(
    'scope',
    elements.every(([, body]) => typeOf(body) !== 'TH' || body.includes('/A <</O /Table /Scope /Column>>')),
  )
  for (const [number, body] of elements)
    for (const kid of kidsOf(body)) must('parent', kid.includes(`/P ${number} 0 R /K`))

  const parents = at(find(/\/ParentTree (\d+) 0 R/, at(find(/\/StructTreeRoot (\d+) 0 R/, catalog))))
  const pages = [...objects].filter(([, body]) => body.startsWith('<</Type /Page '))
  for (const [number, page] of pages) {
    const index = find(/\/StructParents (\d+)/, page)
    must('tab order', page.includes('/Tabs /S'))
    const owners = (find(new RegExp(`(?:\\[| )${index} \\[(.*?)\\]`), parents) ?? '')
      .split(' 0 R')
      .map((owner) => owner.trim())
    const lines = (find(/stream\n([^]*)\nendstream/, at(find(/\/Contents (\d+) 0 R/, page))) ?? '').split(
      '\n',
    )
    for (const line of lines) {
      const [, tag, id, drawn = ''] = /^\/(\w+) (?:<<\/MCID (\d+)>> BDC|BMC) (.*) EMC$/.exec(line) ?? []
      const operator =
        /^(?:BT [\d.]+ [\d.]+ [\d.]+ rg \/F\d [\d.]+ Tf 1 0 0 1 [\d.]+ [\d.]+ Tm \((?:[^\\()]|\\.)*\) Tj ET|0\.75 G 0\.5 w [\d.]+ [\d.]+ m [\d.]+ [\d.]+ l S)$/
      must(`operator of page ${index}`, operator.test(drawn))
      if (tag === 'Artifact') continue
      const owner = at(owners[Number(id)])
      must(`tag of page ${index}`, typeOf(owner) === tag)
      must(`text of page ${index}`, owner.includes(`/Pg ${number} 0 R /MCID ${id}>>`))
    }
    const fonts = find(/\/Font <<(.*?)>>/, page) ?? ''
    for (const [, name, font] of fonts.matchAll(/\/(F\d) (\d+) 0 R/g))
      must(`font ${name}`, isEmbedded(at(font), at))
    must(
      'fonts',
      lines.every((line) => fonts.includes(`${find(/\/(F\d) /, line) ?? ''} `)),
    )
  }
  must('pages', pages.length > 1 && all.length > 0)
  for (const [, table] of elements.filter(([, body]) => typeOf(body) === 'Table')) {
    const rows = kidsOf(table)
      .flatMap(kidsOf)
      .map((cells) => kidsOf(cells).length)
    must('rows of a table', rows.length > 1 && new Set(rows).size === 1)
  }
  return faults
}

function isEmbedded(font: string, at: (number: string | undefined) => string): boolean {
  const descriptor = at(/\/FontDescriptor (\d+) 0 R/.exec(font)?.[1])
  const name = /\/BaseFont (\/[A-Z]{6}\+[\w-]+) /.exec(font)?.[1] ?? 'none'
  return (
    descriptor.includes(`/FontName ${name} `) &&
    at(/\/FontFile2 (\d+) 0 R/.exec(descriptor)?.[1]).startsWith('<</Filter /FlateDecode /Length1 ') &&
    at(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]).includes('beginbfrange') &&
    font.includes('/Encoding /WinAnsiEncoding')
  )
}

function utf8Of(bytes: string): string {
  return decodeURIComponent(
    bytes.replaceAll(/[%\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`),
  )
}

function utf16Of(hex = ''): string {
  return hex.replaceAll(/.{4}/g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)))
}
