import { useQueryClient } from '@tanstack/react-query'
import { refusalMessage } from '#api/refusals.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { isAlias, setAlias, TakenAliasError, type OwnAlias } from './alias.ts'
import { transfersCopy } from './copy.ts'
import { provenCall } from './refusals.ts'

const copy = transfersCopy.alias

type Chosen = { alias: string | null }
type Props = { userId: string; own: OwnAlias; onClose: () => void }

/**
 * Dialog that chooses, changes or removes the customer's alias. For each of these actions, the customer must recently
 * have entered the password or a mailed code.
 */
export function AliasDialog({ userId, own, onClose }: Props) {
  const client = useQueryClient()
  const { proven, dialog: proof } = useProof(copy.proofPurpose)
  return (
    <>
      <FormDialog<Chosen, 'alias'>
        title={copy.title}
        description={copy.explain(own.changes_left)}
        submitLabel={copy.save}
        className="grid-cols-1"
        onClose={onClose}
        read={(fields) => readAlias(fields, own)}
        send={({ alias }) => proven(() => setAlias(client, userId, alias))}
        success={({ alias }) => ({ title: alias === null ? copy.removedTitle : copy.savedTitle })}
        failure={(error) => {
          if (error instanceof TakenAliasError)
            return { title: copy.failedTitle, description: copy.taken, errors: { alias: copy.taken } }
          return refusalMessage(error, provenCall(copy))
        }}
      >
        {(errors) => (
          <InputField
            label={copy.label}
            name="alias"
            hint={own.alias === null ? copy.hint : copy.emptyHint}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={own.alias === null ? '' : `@${own.alias}`}
            error={errors.alias}
          />
        )}
      </FormDialog>
      {proof}
    </>
  )
}

/** An empty field removes the alias. */
function readAlias(fields: FormData, own: OwnAlias): Reading<Chosen, 'alias'> {
  const alias = textOf(fields, 'alias').toLowerCase().replace(/^@/, '')
  if (alias === '' && own.alias !== null) return readingOf({}, { alias: null })
  return readingOf(isAlias(alias) ? {} : { alias: copy.bad }, { alias })
}
