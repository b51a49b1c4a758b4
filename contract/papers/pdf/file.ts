/**
 * A tagged PDF 1.7 (ISO 32000-1, 14.8): it consists of pages with text, and of a structure tree for screen readers. The
 * file conforms to PDF/A-3 level A and to PDF/UA-1 (docs/decisions/0074). The page contents are uncompressed, so that
 * the same document has the same bytes on every platform.
 */
import { colourProfileObject, fontObjects, fonts, stream } from './fonts.ts'
import { type Metadata, xmpOf } from './metadata.ts'

/**
 * A node of the structure tree. Each node has either child nodes or the pieces of text that were drawn for this node.
 */
export type Element = {
  tag: 'Document' | 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD'
  kids: Element[]
  texts: { page: number; id: number }[]
}

export type Page = {
  number: number
  operators: string[]
  /** The structure element of each tagged text, indexed by the text's number on the page. */
  owners: Element[]
}

export type Drawn = {
  x: number
  y: number
  /** Text in Windows-1252, as `encoded` returns it. */
  text: string
  size: number
  font?: 'regular' | 'bold' | 'mono' | undefined
  isMuted?: boolean
}

const ink = '0.07 0.1 0.16 rg'
const muted = '0.33 0.36 0.42 rg'

export function elementOf(parent: Element | null, tag: Element['tag']): Element {
  const element: Element = { tag, kids: [], texts: [] }
  parent?.kids.push(element)
  return element
}

/** Draws text for a structure element. Text without an element, such as the page number, is marked as decoration. */
export function draw(page: Page, element: Element | null, drawn: Drawn): void {
  const { x, y, text, size, font = 'regular', isMuted = false } = drawn
  const shown = `BT ${isMuted ? muted : ink} /${fonts[font]} ${size} Tf 1 0 0 1 ${fixed(x)} ${fixed(y)} Tm (${literal(text)}) Tj ET`
  if (element === null) {
    page.operators.push(`/Artifact BMC ${shown} EMC`)
    return
  }
  const id = page.owners.length
  page.owners.push(element)
  element.texts.push({ page: page.number, id })
  page.operators.push(`/${element.tag} <</MCID ${id}>> BDC ${shown} EMC`)
}

export function rule(page: Page, { x, y, width }: { x: number; y: number; width: number }): void {
  page.operators.push(
    `/Artifact BMC 0.75 G 0.5 w ${fixed(x)} ${fixed(y)} m ${fixed(x + width)} ${fixed(y)} l S EMC`,
  )
}

type Document = Metadata & {
  /** Identifier of 32 hexadecimal digits, which no other document has. */
  id: string
  size: { width: number; height: number }
  pages: readonly Page[]
  root: Element
  attachment: { name: string; text: string }
}

/** Numbers of the first objects in the file, which precede the fonts, the pages and the nodes of the structure tree. */
const object = {
  catalog: 1,
  pages: 2,
  info: 3,
  xmp: 4,
  colours: 5,
  data: 6,
  file: 7,
  tree: 8,
  parents: 9,
  fonts: 10,
}

export function pdfBytes(document: Document): Uint8Array<ArrayBuffer> {
  const { pages, size, root, attachment } = document
  const { bodies: fontBodies, resources } = fontObjects(object.fonts)
  const objectsBeforePages = object.fonts - 1 + fontBodies.length
  const pageObject = (page: number) => objectsBeforePages + 1 + 2 * page
  const numbers = new Map<Element, number>()
  const number = (element: Element) => {
    numbers.set(element, objectsBeforePages + 2 * pages.length + numbers.size + 1)
    element.kids.forEach(number)
  }
  number(root)
  const of = (element: Element) => `${numbers.get(element)} 0 R`
  const data = binary(attachment.text)

  const date = `(D:${document.madeAt}-05'00')`
  const bodies = [
    `<</Type /Catalog /Pages ${object.pages} 0 R /Lang (es-CO) /MarkInfo <</Marked true>> /StructTreeRoot ${object.tree} 0 R ` +
      `/Metadata ${object.xmp} 0 R /OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) ` +
      `/Info (sRGB) /DestOutputProfile ${object.colours} 0 R>>] /ViewerPreferences <</DisplayDocTitle true>> /AF [${object.file} 0 R] ` +
      `/Names <</EmbeddedFiles <</Names [${hexText(attachment.name)} ${object.file} 0 R]>>>>>>`,
    `<</Type /Pages /Count ${pages.length} /Kids [${pages.map((_, page) => `${pageObject(page)} 0 R`).join(' ')}]>>`,
    `<</Title ${hexText(document.title)} /Author ${hexText(document.author)} /CreationDate ${date} /ModDate ${date}>>`,
    stream('/Type /Metadata /Subtype /XML', binary(xmpOf(document))),
    colourProfileObject(),
    stream(`${embeddedFile} /Params <</Size ${data.length} /ModDate ${date}>>`, data),
    `<</Type /Filespec /F (${literal(attachment.name)}) /UF ${hexText(attachment.name)} /AFRelationship /Data ` +
      `/Desc ${hexText(document.title)} /EF <</F ${object.data} 0 R /UF ${object.data} 0 R>>>>`,
    `<</Type /StructTreeRoot /K ${of(root)} /ParentTree ${object.parents} 0 R>>`,
    `<</Nums [${pages.map((page) => `${page.number} [${page.owners.map(of).join(' ')}]`).join(' ')}]>>`,
    ...fontBodies,
    ...pages.flatMap((page) => [
      `<</Type /Page /Parent ${object.pages} 0 R /MediaBox [0 0 ${size.width} ${size.height}] /Tabs /S ` +
        `/StructParents ${page.number} /Contents ${pageObject(page.number) + 1} 0 R ` +
        `/Resources <<${resources}>>>>`,
      stream('', page.operators.join('\n')),
    ]),
  ]
  const describe = (element: Element, parent: number) => {
    const self = numbers.get(element) ?? 0
    // The text of one node can extend over several pages.
    const kids = [
      ...element.kids.map(of),
      ...element.texts.map(({ page, id }) => `<</Type /MCR /Pg ${pageObject(page)} 0 R /MCID ${id}>>`),
    ]
    const scope = element.tag === 'TH' ? ' /A <</O /Table /Scope /Column>>' : ''
    bodies.push(`<</Type /StructElem /S /${element.tag} /P ${parent} 0 R /K [${kids.join(' ')}]${scope}>>`)
    for (const kid of element.kids) describe(kid, self)
  }
  describe(root, object.tree)
  return assembled(bodies, document.id)
}

const embeddedFile = '/Type /EmbeddedFile /Subtype /text#2Fcsv'

/** Returns the text that is attached to a file from `pdfBytes`, or `null` if the file has no attachment. */
export function attachedText(bytes: Uint8Array): string | null {
  let file = ''
  for (let start = 0; start < bytes.length; start += 8192)
    file += String.fromCharCode(...bytes.subarray(start, start + 8192))
  // The limit makes the search linear: a forged file could contain the beginning of an attachment a million times.
  const [mark, length] =
    /\/Type \/EmbeddedFile \/Subtype \/text#2Fcsv \/Params <<[^>]{0,99}>> \/Length (\d+)>>\nstream\n/.exec(
      file,
    ) ?? []
  if (mark === undefined) return null
  const start = file.indexOf(mark) + mark.length
  return textOf(file.slice(start, start + Number(length)))
}

function assembled(bodies: readonly string[], id: string): Uint8Array<ArrayBuffer> {
  const parts = ['%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n']
  let length = parts[0]?.length ?? 0
  const offsets = bodies.map((body, index) => {
    const part = `${index + 1} 0 obj\n${body}\nendobj\n`
    parts.push(part)
    length += part.length
    return length - part.length
  })
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  parts.push(
    `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${lines.join('')}` +
      `trailer\n<</Size ${bodies.length + 1} /Root ${object.catalog} 0 R /Info ${object.info} 0 R /ID [<${id}> <${id}>]>>\nstartxref\n${length}\n%%EOF\n`,
  )
  const file = parts.join('')
  const bytes = new Uint8Array(file.length)
  for (let index = 0; index < file.length; index += 1) bytes[index] = file.charCodeAt(index)
  return bytes
}

/**
 * Encodes a text as UTF-8, and returns a string with one character per byte. Does not use `TextEncoder`, because its
 * types are not available here.
 */
function binary(text: string): string {
  return encodeURIComponent(text).replaceAll(/%([\dA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Decodes a string with one character per byte as UTF-8, or returns `null` if the bytes are invalid. */
function textOf(bytes: string): string | null {
  try {
    return decodeURIComponent(
      bytes.replaceAll(/[%\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
  } catch {
    return null
  }
}

function hexText(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `<FEFF${units.map((unit) => unit.toString(16).toUpperCase().padStart(4, '0')).join('')}>`
}

function literal(text: string): string {
  return text.replaceAll(/[\\()]/g, String.raw`\$&`)
}

function fixed(points: number): string {
  return String(Math.round(points * 100) / 100)
}
