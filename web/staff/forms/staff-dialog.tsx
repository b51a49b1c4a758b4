import type { ComponentProps } from 'react'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { refusalMessage } from '#api/refusals.ts'
import { staffRefusals } from './refusals.ts'

type Form<Value, Name extends string, Answer> = ComponentProps<typeof FormDialog<Value, Name, Answer>>

type Props<Value, Name extends string, Answer> = Omit<Form<Value, Name, Answer>, 'failure'> & {
  /** The action for which the bank may require the password, as an infinitive: for example `cambiar un rol`. */
  purpose: string
  failedTitle: string
  /** Describes a failure. By default, the dialog shows the title and the server's message. */
  failure?: Form<Value, Name, Answer>['failure']
}

/**
 * Dialog for an action of staff. If the bank requires the password, the dialog asks for it and then sends the action
 * again.
 */
export function StaffDialog<Value, Name extends string, Answer = void>({
  purpose,
  failedTitle,
  send,
  ...form
}: Props<Value, Name, Answer>) {
  const { proven, dialog } = useProof(purpose)
  return (
    <>
      <FormDialog<Value, Name, Answer>
        failure={(error) =>
          refusalMessage(error, { name: 'order', title: failedTitle, refusals: staffRefusals })
        }
        {...form}
        send={(value) => proven(() => send(value))}
      />
      {dialog}
    </>
  )
}
