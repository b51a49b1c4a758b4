import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { callAuth } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { isCancelled, makePasskey } from '#people/session/passkey.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { InputField } from '#ui/form/field.tsx'
import { textOf, type Reading } from '#ui/form/form.ts'
import { passkeyCopy as copy } from './passkey-copy.ts'

type Props = {
  /** Names of existing passkeys. */
  names: readonly string[]
  /**
   * Receives the function `add`, which must be called after this dialog has closed, because the browser opens its own
   * dialog. `add` resolves to true if a passkey was added.
   */
  onNamed: (add: () => Promise<boolean>) => void
  onClose: () => void
}

/** Asks for the name of a new passkey, and proposes the device's name. */
export function PasskeyDialog({ names, onNamed, onClose }: Props) {
  return (
    <FormDialog<string, 'name'>
      title={copy.title}
      description={copy.explained}
      submitLabel={copy.submit}
      onClose={onClose}
      read={(fields) => readName(fields, names)}
      send={async (name) => onNamed(() => addPasskey(name))}
      success={() => null}
      failure={() => ({ title: copy.failed, description: copy.tryAgain })}
    >
      {(errors) => (
        <InputField
          label={copy.name}
          name="name"
          defaultValue={proposedName(names)}
          hint={copy.nameHint}
          error={errors.name}
          autoComplete="off"
          maxLength={nameLengthMax}
          required
        />
      )}
    </FormDialog>
  )
}

const nameLengthMax = 60

function readName(fields: FormData, names: readonly string[]): Reading<string, 'name'> {
  const name = textOf(fields, 'name').trim()
  if (name === '') return { ok: false, errors: { name: copy.missingName } }
  if (names.includes(name)) return { ok: false, errors: { name: copy.takenName } }
  return { ok: true, value: name }
}

/** Returns a name such as `Chrome en Mac`, or `Chrome en Mac 2` if the first name is already used. */
function proposedName(names: readonly string[]): string {
  const device = deviceName(navigator.userAgent)
  const name = device === 'desconocido' ? copy.title : device
  for (let number = 1; ; number += 1) {
    const proposed = number === 1 ? name : `${name} ${number}`
    if (!names.includes(proposed)) return proposed
  }
}

/** Adds a passkey. After a failure, removes the unfinished passkey, because its name would otherwise stay occupied. */
async function addPasskey(friendlyName: string): Promise<boolean> {
  const { data } = await callAuth(({ mfa }) => mfa.enroll({ factorType: 'webauthn', friendlyName }))
  try {
    await makePasskey(data.id, friendlyName)
    return true
  } catch (error) {
    await callAuth(({ mfa }) => mfa.unenroll({ factorId: data.id })).catch((left: unknown) =>
      logQuietly(left, 'unfinished passkey'),
    )
    if (isCancelled(error)) return false
    throw error
  }
}
