import { staffCopy } from '#features/admin/staff-copy.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '@finanzas/contract/access/claims.ts'
import type { CreateUser } from '@finanzas/contract/wire/functions.ts'
import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { configuration } from '#backend/configuration.ts'
import { createRepeatableCall } from '#backend/functions.ts'
import { waitingToast, type OrderAnswer } from '#features/admin/approval.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { useGo } from '#ui/address/address.tsx'
import { Button } from '#ui/button.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { lineOf, rawTextOf, readingOf, textOf, type Reading } from '#ui/form/form.ts'
import { updateRole, usersKey, type ListedUser } from './users.ts'
import { sentenceOf } from '#features/admin/sentence.ts'
import { useProof } from '#session/proof/use-proof.tsx'

type NewUser = Omit<CreateUser, 'action'>
type NewUserField = 'fullName' | 'email' | 'password'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const onDone = useReload(onClose)
  const go = useGo()
  const [call] = useState(createRepeatableCall)
  const { proven, dialog: proof } = useProof(adminCopy.createPurpose)
  return (
    <>
      <FormDialog<NewUser, NewUserField, OrderAnswer>
        title={adminCopy.createUser}
        submitLabel={adminCopy.createUser}
        onClose={onClose}
        read={readNewUser}
        send={(user) =>
          proven(() => call<object, OrderAnswer>('manage-users', { action: 'create', ...user }))
        }
        success={(_, { status }) =>
          status === 'waiting'
            ? waitingToast(go, staffCopy.approval.createdText)
            : { title: adminCopy.success, description: adminCopy.createdText }
        }
        failure={(error) => ({ title: adminCopy.createFailedTitle, description: sentenceOf(error) })}
        onDone={onDone}
        footer={
          <Button
            variant="quiet"
            onClick={() => {
              onClose()
              go('/admin/altas')
            }}
          >
            {adminCopy.uploadUsers}
          </Button>
        }
      >
        {(errors) => (
          <>
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
            <PasswordField
              label={adminCopy.password}
              name="password"
              autoComplete="new-password"
              hint={adminCopy.passwordHint(configuration().passwordLengthMin)}
              error={errors.password}
              required
            />
            <RoleField defaultValue="user" />
          </>
        )}
      </FormDialog>
      {proof}
    </>
  )
}

function readNewUser(fields: FormData): Reading<NewUser, NewUserField> {
  const fullName = lineOf(fields, 'fullName')
  const email = textOf(fields, 'email')
  const password = rawTextOf(fields, 'password')
  const errors = {
    ...(fullName === '' && { fullName: adminCopy.missingFullName }),
    ...([...fullName].length > fullNameLengthMax && { fullName: adminCopy.longFullName }),
    ...(email === '' && { email: adminCopy.missingEmail }),
    ...(password === '' && { password: adminCopy.missingPassword }),
  }
  return readingOf(errors, { email, password, role: roleIn(fields), user_metadata: { full_name: fullName } })
}

type UserDialogProps = { user: ListedUser; onClose: () => void }

export function RoleDialog({ user, onClose }: UserDialogProps) {
  const onDone = useReload(onClose)
  const go = useGo()
  const { proven, dialog: proof } = useProof(adminCopy.rolePurpose)
  return (
    <>
      <FormDialog<Role, never, boolean>
        title={adminCopy.roleDialogTitle}
        description={user.name}
        submitLabel={adminCopy.saveRole}
        onClose={onClose}
        read={(fields) => ({ ok: true, value: roleIn(fields) })}
        send={(role) => proven(() => updateRole(user.id, role))}
        success={(_, isWaiting) =>
          isWaiting ? waitingToast(go) : { title: adminCopy.success, description: adminCopy.roleSavedText }
        }
        failure={(error) => ({ title: adminCopy.roleFailedTitle, description: sentenceOf(error) })}
        onDone={onDone}
      >
        {() => <RoleField defaultValue={user.role} />}
      </FormDialog>
      {proof}
    </>
  )
}

function RoleField({ defaultValue }: { defaultValue: Role }) {
  return (
    <SelectField label={adminCopy.role} name="role" defaultValue={defaultValue}>
      <option value="user">{staffCopy.roles.user}</option>
      <option value="admin">{staffCopy.roles.admin}</option>
    </SelectField>
  )
}

function roleIn(fields: FormData): Role {
  return textOf(fields, 'role') === 'admin' ? 'admin' : 'user'
}

function useReload(onClose: () => void): () => Promise<void> {
  const client = useQueryClient()
  return () => {
    onClose()
    return client.invalidateQueries({ queryKey: usersKey })
  }
}
