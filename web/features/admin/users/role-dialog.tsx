import { useQueryClient } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/claims.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission } from '#ui/form/use-submission.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { sentenceOf, updateRole, usersQuery, type ListedUser } from './users.ts'

export function RoleDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const client = useQueryClient()
  const { isSending, onSubmit } = useSubmission<Role, never>({
    read: (fields) => ({ ok: true, value: textOf(fields, 'role') === 'admin' ? 'admin' : 'user' }),
    send: async (role) => {
      try {
        await updateRole(user.id, role)
      } catch (error) {
        showToast({
          title: adminCopy.roleFailedTitle,
          description: sentenceOf(error),
          variant: 'destructive',
        })
        return
      }
      showToast({ title: adminCopy.success, description: adminCopy.roleSavedText })
      onClose()
      await client.invalidateQueries(usersQuery)
    },
  })

  return (
    <Dialog
      title={adminCopy.roleDialogTitle}
      description={user.name}
      closeLabel={adminCopy.close}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <SelectField label={adminCopy.role} name="role" defaultValue={user.role}>
            <option value="user">{adminCopy.roles.user}</option>
            <option value="admin">{adminCopy.roles.admin}</option>
          </SelectField>
          <Button type="submit" isBusy={isSending}>
            {adminCopy.saveRole}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}
