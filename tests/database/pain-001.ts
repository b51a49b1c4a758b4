/**
 * The part of the schema pain.001.001.09 (ISO 20022) that the clearing files use: the order of the elements, how often
 * each may occur, and the forms of their values. The character set is narrower than the schema's: it is the set that
 * every clearing accepts.
 */

type Occurs = '1' | '?' | '+'
/**
 * The form of an element's text, its children in their order, or a map of alternative children of which the element has
 * exactly one.
 */
type Type = RegExp | Sequence | ReadonlyMap<string, Type>
type Sequence = { readonly [element: string]: readonly [occurs: Occurs, type: Type] }

const text = (lengthMax: number) => new RegExp(`^[A-Za-z0-9/?:().,'+ -]{1,${lengthMax}}$`)
const choice = (options: Readonly<Record<string, Type>>) => new Map(Object.entries(options))
const decimal = /^\d{1,16}\.\d{2}$/
const max35 = text(35)
const count = /^[1-9]\d{0,14}$/
const other: Sequence = {
  Othr: ['1', { Id: ['1', max35], SchmeNm: ['1', { Prtry: ['1', max35] }] }],
}
const account: Sequence = { Othr: ['1', { Id: ['1', text(34)] }] }
const identity = choice({ OrgId: other, PrvtId: other })
const named: Sequence = { Nm: ['1', text(140)] }

const transfer: Sequence = {
  PmtId: ['1', { EndToEndId: ['1', max35] }],
  Amt: ['1', { InstdAmt: ['1', decimal] }],
  UltmtDbtr: ['?', { ...named, Id: ['?', identity] }],
  CdtrAgt: ['1', { FinInstnId: ['1', { ClrSysMmbId: ['1', { MmbId: ['1', max35] }] }] }],
  Cdtr: ['1', { ...named, Id: ['1', identity] }],
  CdtrAcct: ['1', { Id: ['1', account], Tp: ['1', choice({ Cd: /^(SVGS|CACC)$/, Prtry: max35 })] }],
  RmtInf: ['?', { Ustrd: ['1', text(140)] }],
}

export const painSchema: Sequence = {
  Document: [
    '1',
    {
      CstmrCdtTrfInitn: [
        '1',
        {
          GrpHdr: [
            '1',
            {
              MsgId: ['1', max35],
              CreDtTm: ['1', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
              NbOfTxs: ['1', count],
              CtrlSum: ['1', decimal],
              InitgPty: ['1', named],
            },
          ],
          PmtInf: [
            '1',
            {
              PmtInfId: ['1', max35],
              PmtMtd: ['1', /^TRF$/],
              NbOfTxs: ['1', count],
              CtrlSum: ['1', decimal],
              ReqdExctnDt: ['1', { Dt: ['1', /^\d{4}-\d\d-\d\d$/] }],
              Dbtr: ['1', named],
              DbtrAcct: ['1', { Id: ['1', account] }],
              DbtrAgt: ['1', { FinInstnId: ['1', named] }],
              CdtTrfTxInf: ['+', transfer],
            },
          ],
        },
      ],
    },
  ],
}

export type Element = { name: string; attributes: string; text: string; children: Element[] }

/** Parses an XML document without comments, entities and processing instructions. Throws if a tag does not match. */
export function parseXml(xml: string): Element[] {
  const root: Element = { name: '', attributes: '', text: '', children: [] }
  const open = [root]
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '')
  for (const [, end, name = '', attributes = '', written = ''] of body.matchAll(
    /<(\/?)([A-Za-z]+)((?: [A-Za-z]+="[^"<&]*")*)>([^<]*)/g,
  )) {
    if (end === '') {
      const element = { name, attributes, text: written, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    } else if (open.pop()?.name !== name) throw new SyntaxError(`${name} ends another element.`)
  }
  if (open.length !== 1) throw new SyntaxError('An element does not end.')
  return root.children
}

/** Returns the places at which the elements break the schema. */
export function faultsOf(elements: readonly Element[], schema: Sequence, path = ''): string[] {
  const names = Object.keys(schema)
  const places = elements.map(({ name }) => names.indexOf(name))
  const isOrdered = places.every((place, index) => place >= (places[index - 1] ?? 0))
  const inOrder = isOrdered ? [] : [`${path} has the children ${elements.map(({ name }) => name).join()}`]
  return Object.entries(schema).reduce((faults, [name, [occurs, type]]) => {
    const found = elements.filter((each) => each.name === name)
    const isRightCount =
      found.length === 1 || (occurs === '?' && found.length === 0) || (occurs === '+' && found.length > 1)
    return [
      ...faults,
      ...(isRightCount ? [] : [`${path} has ${found.length} ${name}`]),
      ...found.flatMap((element) => faultsOfOne(element, type, `${path}/${name}`)),
    ]
  }, inOrder)
}

function faultsOfOne(element: Element, type: Type, path: string): string[] {
  const { children, text: written, attributes } = element
  const faults = attributes === (attributesOf[element.name] ?? '') ? [] : [`${path} has ${attributes}`]
  if (type instanceof RegExp)
    return children.length === 0 && type.test(written) ? faults : [...faults, `${path} is ${written}`]
  if (written.trim() !== '') faults.push(`${path} has the text ${written}`)
  if (!(type instanceof Map)) return [...faults, ...faultsOf(children, type as Sequence, path)]
  const [child] = children
  const chosen: Type | undefined = child === undefined ? undefined : type.get(child.name)
  if (child === undefined || chosen === undefined || children.length > 1)
    return [...faults, `${path} chooses nothing`]
  return [...faults, ...faultsOfOne(child, chosen, `${path}/${child.name}`)]
}

const attributesOf: Readonly<Record<string, string>> = {
  InstdAmt: ' Ccy="USD"',
  Document: ' xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"',
}

/** Returns the texts of all elements with this name below the given elements. */
export function textsOf(elements: readonly Element[], name: string): string[] {
  return elements.flatMap((each) => [
    ...(each.name === name ? [each.text] : []),
    ...textsOf(each.children, name),
  ])
}
