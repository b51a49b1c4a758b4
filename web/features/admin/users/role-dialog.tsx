import { useQueryClient } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/claims.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { textOf, useSubmission } from '#ui/form/form.ts'
import { sentenceOf, updateRole, usersQuery, type ListedUser } from './users.ts'

export function RoleDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const client = useQueryClient()
  const form = useSubmission<Role, never>({
    read: (fields) => ({ ok: true, value: textOf(fields, 'role') === 'admin' ? 'admin' : 'user' }),
    send: (role) => updateRole(user.id, role),
    success: { title: adminCopy.success, description: adminCopy.roleSavedText },
    failure: (error) => ({ title: adminCopy.roleFailedTitle, description: sentenceOf(error) }),
    onDone: () => {
      onClose()
      return client.invalidateQueries(usersQuery)
    },
  })

  return (
    <DialogForm
      form={form}
      title={adminCopy.roleDialogTitle}
      description={user.name}
      closeLabel={adminCopy.close}
      submitLabel={adminCopy.saveRole}
      onClose={onClose}
    >
      <SelectField label={adminCopy.role} name="role" defaultValue={user.role}>
        <option value="user">{adminCopy.roles.user}</option>
        <option value="admin">{adminCopy.roles.admin}</option>
      </SelectField>
    </DialogForm>
  )
}
