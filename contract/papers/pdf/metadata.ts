/**
 * Writes the metadata of a PDF in XMP. The metadata declares PDF/A-3 with accessibility (level A, ISO 19005-3, 6.6) and
 * PDF/UA-1 (ISO 14289-1, clause 5).
 */

export type Metadata = {
  title: string
  author: string
  /** Creation time in Bogotá's time zone, such as `20261123005000`. */
  madeAt: string
}

export function xmpOf({ title, author, madeAt }: Metadata): string {
  const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const description = (names: string, content: string) =>
    `<rdf:Description rdf:about="" ${names}>${content}</rdf:Description>`
  return (
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
    description(
      'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"',
      '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>',
    ) +
    description('xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"', '<pdfuaid:part>1</pdfuaid:part>') +
    description(
      'xmlns:dc="http://purl.org/dc/elements/1.1/"',
      `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${text(title)}</rdf:li></rdf:Alt></dc:title>` +
        `<dc:creator><rdf:Seq><rdf:li>${text(author)}</rdf:li></rdf:Seq></dc:creator>` +
        `<dc:language><rdf:Bag><rdf:li>es-CO</rdf:li></rdf:Bag></dc:language>`,
    ) +
    description(
      'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
      `<xmp:CreateDate>${isoOf(madeAt)}</xmp:CreateDate><xmp:ModifyDate>${isoOf(madeAt)}</xmp:ModifyDate>`,
    ) +
    description(
      'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" ' +
        'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"',
      identificationSchema,
    ) +
    `</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
  )
}

/** Describes the schema of PDF/UA, which is not one of the schemas that PDF/A knows (ISO 19005-3, 6.6.2.3). */
const identificationSchema =
  `<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">` +
  `<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>` +
  `<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>` +
  `<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">` +
  `<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>` +
  `<pdfaProperty:category>internal</pdfaProperty:category>` +
  `<pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description>` +
  `</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>`

/** `2026-11-23T00:50:00-05:00` */
function isoOf(madeAt: string): string {
  return madeAt.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6-05:00')
}
