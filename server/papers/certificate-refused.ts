/** Error about a certificate that cannot sign papers. The operator sees the message. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused'
}
