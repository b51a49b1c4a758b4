import { staffCopy } from '#staff/staff-copy.ts'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '@finanzas/contract/people/claims.ts'
import type { CreateUser } from '@finanzas/contract/wire/functions.ts'
import { fullNameLengthMax } from '@finanzas/contract/limits.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { configuration } from '#api/configuration.ts'
import { createRepeatableCall } from '#api/functions.ts'
import { waitingToast, waitsForApproval, type OrderAnswer } from '#staff/forms/approval.ts'
import { usersCopy } from './copy.ts'
import { useGo } from '#ui/address/address.tsx'
import { Button } from '#ui/button.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { lineOf, rawTextOf, readingOf, textOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { usersKey, type ListedUser } from './users.ts'

type NewUser = Omit<CreateUser, 'action'>
type NewUserField = 'fullName' | 'email' | 'password'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const onDone = useReload(onClose)
  const go = useGo()
  const [call] = useState(createRepeatableCall)
  return (
    <StaffDialog<NewUser, NewUserField, OrderAnswer>
      purpose={usersCopy.createPurpose}
      title={usersCopy.createUser}
      failedTitle={usersCopy.createFailedTitle}
      submitLabel={usersCopy.createUser}
      onClose={onClose}
      read={readNewUser}
      send={(user) => call<object, OrderAnswer>('manage-users', { action: 'create', ...user })}
      success={(_, { status }) =>
        status === 'waiting'
          ? waitingToast(go, staffCopy.approval.createdText)
          : { title: usersCopy.success, description: usersCopy.createdText }
      }
      onDone={onDone}
      footer={
        <Button
          variant="quiet"
          onClick={() => {
            onClose()
            go('/admin/altas')
          }}
        >
          {usersCopy.uploadUsers}
        </Button>
      }
    >
      {(errors) => <NewUserFields errors={errors} />}
    </StaffDialog>
  )
}

function NewUserFields({ errors }: { errors: FieldErrors<NewUserField> }) {
  return (
    <>
      <InputField
        label={usersCopy.fullName}
        name="fullName"
        autoComplete="off"
        error={errors.fullName}
        required
      />
      <InputField
        label={usersCopy.email}
        name="email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email}
        required
      />
      <PasswordField
        label={usersCopy.password}
        name="password"
        autoComplete="new-password"
        hint={usersCopy.passwordHint(configuration().passwordLengthMin)}
        error={errors.password}
        required
      />
      <RoleField defaultValue="user" />
    </>
  )
}

function readNewUser(fields: FormData): Reading<NewUser, NewUserField> {
  const fullName = lineOf(fields, 'fullName')
  const email = textOf(fields, 'email')
  const password = rawTextOf(fields, 'password')
  const errors = {
    ...(fullName === '' && { fullName: usersCopy.missingFullName }),
    ...([...fullName].length > fullNameLengthMax && { fullName: usersCopy.longFullName }),
    ...(email === '' && { email: usersCopy.missingEmail }),
    ...(password === '' && { password: usersCopy.missingPassword }),
  }
  return readingOf(errors, { email, password, role: roleIn(fields), user_metadata: { full_name: fullName } })
}

type UserDialogProps = { user: ListedUser; onClose: () => void }

export function RoleDialog({ user, onClose }: UserDialogProps) {
  const onDone = useReload(onClose)
  const go = useGo()
  return (
    <StaffDialog<Role, never, boolean>
      purpose={usersCopy.rolePurpose}
      title={usersCopy.roleDialogTitle}
      failedTitle={usersCopy.roleFailedTitle}
      description={user.name}
      submitLabel={usersCopy.saveRole}
      onClose={onClose}
      read={(fields) => ({ ok: true, value: roleIn(fields) })}
      send={(role) => updateRole(user, role)}
      success={(_, isWaiting) =>
        isWaiting ? waitingToast(go) : { title: usersCopy.success, description: usersCopy.roleSavedText }
      }
      onDone={onDone}
    >
      {() => <RoleField defaultValue={user.role} />}
    </StaffDialog>
  )
}

/** Changes a role. Returns whether the change waits for another administrator. Throws the table API's error. */
async function updateRole({ id, role: previous }: ListedUser, role: Role): Promise<boolean> {
  const client = await backend()
  unwrap(await client.from('profiles').update({ role }).eq('id', id))
  return role !== previous && (await waitsForApproval(id))
}

function RoleField({ defaultValue }: { defaultValue: Role }) {
  return (
    <SelectField label={usersCopy.role} name="role" defaultValue={defaultValue}>
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
