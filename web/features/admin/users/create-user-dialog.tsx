import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreateUser } from '@finanzas/contract/functions.ts'
import { configuration } from '#backend/configuration.ts'
import { createRepeatableCall } from '#backend/repeatable-call.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { rawTextOf, textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { createUser, sentenceOf, usersQuery } from './users.ts'

type NewUser = Omit<CreateUser, 'action'>
type FieldName = 'fullName' | 'email' | 'password'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [call] = useState(createRepeatableCall)
  const form = useSubmission<NewUser, FieldName>({
    read: readNewUser,
    send: (user) => call(user, ({ key }) => createUser(user, key)),
    success: { title: adminCopy.success, description: adminCopy.createdText },
    failure: (error) => ({ title: adminCopy.createFailedTitle, description: sentenceOf(error) }),
    onDone: () => {
      onClose()
      return client.invalidateQueries(usersQuery)
    },
  })

  return (
    <DialogForm
      form={form}
      title={adminCopy.createUser}
      closeLabel={adminCopy.close}
      submitLabel={adminCopy.createUser}
      onClose={onClose}
    >
      <InputField
        label={adminCopy.fullName}
        name="fullName"
        autoComplete="off"
        error={form.errors.fullName}
        required
      />
      <InputField
        label={adminCopy.email}
        name="email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={form.errors.email}
        required
      />
      <InputField
        label={adminCopy.password}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={adminCopy.passwordHint(configuration().passwordLengthMin)}
        error={form.errors.password}
        required
      />
      <SelectField label={adminCopy.role} name="role" defaultValue="user">
        <option value="user">{adminCopy.roles.user}</option>
        <option value="admin">{adminCopy.roles.admin}</option>
      </SelectField>
    </DialogForm>
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
