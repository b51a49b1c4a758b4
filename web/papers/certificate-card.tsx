import { dayInBogota } from '#ui/format/dates.ts'
import { Card } from '#ui/card.tsx'
import { statementPageCopy as copy } from './copy.ts'
import { FileButtons } from './file-buttons.tsx'

/** Downloads a certificate of the balance according to the bank. */
export function CertificateCard() {
  return (
    <Card
      title={copy.certificate.title}
      action={
        <FileButtons
          asked={{ certificate: 'balance' }}
          fileName={(format) => copy.certificate.fileName(dayInBogota(), format)}
        />
      }
    >
      <p className="max-w-prose p-4 text-sm text-muted sm:p-6">{copy.certificate.about}</p>
    </Card>
  )
}
