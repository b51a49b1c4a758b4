import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreateUser } from '@finanzas/contract/functions.ts'
import { configuration } from '#backend/configuration.ts'
import { createRepeatableCall } from '#backend/repeatable-call.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { rawTextOf, textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { createUser, sentenceOf, usersQuery } from './users.ts'

type NewUser = Omit<CreateUser, 'action'>
type FieldName = 'fullName' | 'email' | 'password'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [call] = useState(createRepeatableCall)
  const { errors, isSending, onSubmit } = useSubmission<NewUser, FieldName>({
    read: readNewUser,
    send: async (user) => {
      try {
        await call(user, ({ key }) => createUser(user, key))
      } catch (error) {
        showToast({
          title: adminCopy.createFailedTitle,
          description: sentenceOf(error),
          variant: 'destructive',
        })
        return
      }
      showToast({ title: adminCopy.success, description: adminCopy.createdText })
      onClose()
      await client.invalidateQueries(usersQuery)
    },
  })

  return (
    <Dialog title={adminCopy.createUser} closeLabel={adminCopy.close} onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-4">
          <InputField
            label={adminCopy.fullName}
            name="fullName"
            autoComplete="off"
            error={errors.fullName}
            required
          />
          <InputField
            label={adminCopy.email}
            name="email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={errors.email}
            required
          />
          <InputField
            label={adminCopy.password}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={adminCopy.passwordHint(configuration().passwordLengthMin)}
            error={errors.password}
            required
          />
          <SelectField label={adminCopy.role} name="role" defaultValue="user">
            <option value="user">{adminCopy.roles.user}</option>
            <option value="admin">{adminCopy.roles.admin}</option>
          </SelectField>
          <Button type="submit" isBusy={isSending} className="mt-1">
            {adminCopy.createUser}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}

function readNewUser(fields: FormData): Reading<NewUser, FieldName> {
  const fullName = textOf(fields, 'fullName')
  const email = textOf(fields, 'email')
  const password = rawTextOf(fields, 'password')
  const errors = {
    ...(fullName === '' && { fullName: adminCopy.missingFullName }),
    ...(email === '' && { email: adminCopy.missingEmail }),
    ...(password === '' && { password: adminCopy.missingPassword }),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const role = textOf(fields, 'role') === 'admin' ? 'admin' : 'user'
  return { ok: true, value: { email, password, role, user_metadata: { full_name: fullName } } }
}
