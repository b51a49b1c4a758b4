import type { PaperReason } from '@finanzas/contract/database-types.ts'
import type { PaperFormat } from '@finanzas/contract/wire/configuration.ts'
import { configuration } from '#api/configuration.ts'
import { type AskedPaper, issuedPaper } from '#api/papers.ts'
import { statementMonths } from '#amounts/statement-months.ts'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { staffCopy } from '#staff/staff-copy.ts'
import { SelectField } from '#ui/form/field.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { formatMonthAndYear } from '#ui/format/months.ts'
import { saveFile } from '#ui/save-file.ts'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.papers

type Props = {
  customer: Pick<Customer, 'id' | 'email' | 'created_at'>
  /** The dialog asks for the month of a statement. */
  paper: StaffPaper
  onClose: () => void
}

/** The paper that staff make: a statement, a certificate of the balance, or the receipt of a transaction. */
export type StaffPaper = 'statement' | 'certificate' | { transaction: string }

type Order = { asked: AskedPaper; format: PaperFormat; fileName: string }

/** Makes a paper for a customer. The reason stands in the audit log. */
export function PaperDialog({ customer, paper, onClose }: Props) {
  const { paperFormats } = configuration()
  const months = statementMonths(customer.created_at)
  return (
    <StaffDialog<Order, 'reason'>
      purpose={copy.purpose}
      title={typeof paper === 'string' ? copy[paper] : copy.receipt}
      description={customer.email}
      failedTitle={copy.failedTitle}
      submitLabel={copy.submit}
      onClose={onClose}
      read={(fields) => readOrder(fields, customer.id, paper)}
      send={async ({ asked, format, fileName }) => saveFile(fileName, await issuedPaper(asked, format))}
      success={{ title: copy.doneTitle, description: copy.doneText }}
    >
      {(errors) => (
        <>
          {paper === 'statement' && (
            <SelectField label={copy.month} name="month" defaultValue={months[1] ?? months[0]}>
              {months.map((month) => (
                <option key={month} value={month}>
                  {formatMonthAndYear(month)}
                </option>
              ))}
            </SelectField>
          )}
          <SelectField label={copy.reason} name="reason" defaultValue="" error={errors.reason} required>
            <option value="">{copy.choose}</option>
            {Object.entries(staffCopy.paperReasons).map(([reason, words]) => (
              <option key={reason} value={reason}>
                {words}
              </option>
            ))}
          </SelectField>
          <SelectField label={copy.format} name="format" defaultValue={paperFormats[0]}>
            {paperFormats.map((format) => (
              <option key={format} value={format}>
                {copy.formats[format]}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </StaffDialog>
  )
}

function readOrder(fields: FormData, user_id: string, paper: StaffPaper): Reading<Order, 'reason'> {
  const reason = textOf(fields, 'reason')
  const month = textOf(fields, 'month')
  // The select fields offer only formats and values of `PaperReason`.
  const format = textOf(fields, 'format') as PaperFormat
  const owner = { user_id, reason: reason as PaperReason }
  return readingOf(reason === '' ? { reason: copy.missingReason } : {}, {
    ...orderOf(paper, { month, format, owner }),
    format,
  })
}

function orderOf(
  paper: StaffPaper,
  {
    month,
    format,
    owner,
  }: { month: string; format: PaperFormat; owner: Pick<AskedPaper, 'user_id' | 'reason'> },
): Omit<Order, 'format'> {
  if (paper === 'statement')
    return { asked: { month, ...owner }, fileName: copy.statementFile(month, format) }
  if (paper === 'certificate')
    return {
      asked: { certificate: 'balance', ...owner },
      fileName: copy.certificateFile(dayInBogota(), format),
    }
  const { transaction } = paper
  return {
    asked: { transaction_id: transaction, ...owner },
    fileName: copy.receiptFile(transaction, format),
  }
}
