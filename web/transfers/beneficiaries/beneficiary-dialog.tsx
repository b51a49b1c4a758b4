import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, type Reading } from '#ui/form/form.ts'
import {
  BeneficiaryFields,
  isSameAccount,
  readBeneficiary,
  type BeneficiaryField,
  type TypedBeneficiary,
} from './beneficiary-fields.tsx'
import { transfersCopy } from '#transfers/copy.ts'
import { transfersQuery, type Beneficiary } from '#transfers/transfers.ts'
import { unconfirmedToast, StrangerError, useConfirmation, type Payee } from './use-confirmation.tsx'

const copy = transfersCopy.beneficiaries

type Props = { userId: string; ownAddress: string | undefined; onClose: () => void }

/** Dialog in which the customer adds and confirms a beneficiary. */
export function BeneficiaryDialog({ userId, ownAddress, onClose }: Props) {
  // The dialog stays open if a beneficiary was added but not confirmed. The next attempt must find this beneficiary.
  const known = useQuery(transfersQuery(userId)).data?.beneficiaries ?? []
  const { confirmed, dialog: proof } = useConfirmation(userId)
  return (
    <>
      <FormDialog<TypedBeneficiary, BeneficiaryField, Payee>
        title={copy.addTitle}
        description={copy.addText}
        submitLabel={copy.save}
        className="grid-cols-1"
        onClose={onClose}
        read={(fields) => readNew(fields, { ownAddress, known })}
        send={(wanted) => confirmed(wanted, known)}
        success={(_, { name, payee_name }) => ({
          title: copy.confirmedTitle,
          description: copy.confirmedText(name, payee_name),
        })}
        failure={(error) => ({
          ...unconfirmedToast(error),
          ...(error instanceof StrangerError && { errors: { address: copy.notACustomer } }),
        })}
      >
        {(errors) => <BeneficiaryFields errors={errors} />}
      </FormDialog>
      {proof}
    </>
  )
}

type Given = { ownAddress: string | undefined; known: readonly Beneficiary[] }

function readNew(
  fields: FormData,
  { ownAddress, known }: Given,
): Reading<TypedBeneficiary, BeneficiaryField> {
  const { value, errors } = readBeneficiary(fields, ownAddress)
  const isKnown = known.some(
    (each) => each.confirmed_at !== null && each.payee_name !== null && isSameAccount(each, value),
  )
  const field = value.destination === null ? 'address' : 'account_number'
  return readingOf({ ...errors, ...(isKnown && { [field]: copy.known }) }, value)
}
