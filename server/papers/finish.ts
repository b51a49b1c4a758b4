/**
 * Finishes a paper: attaches its CSV, and leaves a place for the bank's signature, which covers every other byte of the
 * file (ISO 32000-1, 12.8).
 */
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import { signatureBytesMax } from '@finanzas/contract/papers/pdf-signature.ts'
import type { Issued } from '@finanzas/contract/papers/statement.ts'
import { type Sheet, drawFooters, elementOf } from './sheet.ts'

/** The parts of pdfkit that its type definitions leave out. */
type WithForm = {
  readonly _root: { data: { AcroForm: { data: Record<string, unknown> } } }
  readonly page: { annotations: object[] }
  annotate(x: number, y: number, width: number, height: number, options: object): void
}

/** Schema of PDF/UA, which is not one of the schemas that PDF/A knows (ISO 19005-3, 6.6.2.3). */
const accessibility = `
  <rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about=""><pdfuaid:part>1</pdfuaid:part></rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
      <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
      <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
      <pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
        <pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
        <pdfaProperty:category>internal</pdfaProperty:category>
        <pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description>
      </rdf:li></rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
  </rdf:Description>`

/** Returns the bytes of the PDF, with an empty signature. */
export function finishSheet(
  sheet: Sheet,
  { bankName }: Pick<Issued, 'bankName'>,
  attachment: { readonly name: string; readonly text: string },
): Uint8Array<ArrayBuffer> {
  const { document, root, title } = sheet
  drawFooters(sheet)
  const madeAt = document.info.CreationDate
  const file = {
    name: attachment.name,
    type: 'text/csv',
    // PDF/A-3 requires the relationship, which the type definitions lack.
    relationship: 'Data',
    description: title,
    ...(madeAt !== undefined && { creationDate: madeAt, modifiedDate: madeAt }),
  }
  document.file(Buffer.from(attachment.text), file)
  leaveSignature(sheet, bankName)
  document.appendXML(accessibility)
  root.end()
  document.end()
  return sheet.file()
}

/** Text that takes the place of each number of the signature's range until the file is signed. */
export const unknownNumber = '*'.repeat(10)

function leaveSignature(sheet: Sheet, bankName: string): void {
  const { document, root } = sheet
  const form = document as unknown as WithForm
  const signature = document.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, unknownNumber, unknownNumber, unknownNumber],
    Contents: Buffer.alloc(signatureBytesMax),
    Name: textOf(bankName),
    M: new Date(),
  })
  signature.end(undefined)
  // A field without an area on the page, which is locked.
  form.annotate(0, 0, 0, 0, {
    Subtype: 'Widget',
    FT: 'Sig',
    T: textOf('Firma'),
    TU: textOf(statementCopy.signatureField),
    F: 132,
    V: signature,
    structParent: elementOf(sheet, root, 'Form'),
  })
  document.initForm()
  const { data } = form._root.data.AcroForm
  // The library prepares a form that people fill in.
  delete data['NeedAppearances']
  delete data['DA']
  Object.assign(data, { SigFlags: 3, Fields: [form.page.annotations.at(-1)] })
}

/** The library writes a `String` object as text, and any other string as a name. */
function textOf(text: string): object {
  return Object(text) as object
}
