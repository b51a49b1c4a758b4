import type { ComponentProps } from 'react'
import { useTyped } from '#staff/forms/typed-text.ts'
import { InputField } from '#ui/form/field.tsx'

type Props = Omit<ComponentProps<typeof InputField>, 'value' | 'onChange' | 'autoComplete'> & {
  value: string
  /** Called with the typed text when the user leaves the field or presses Enter. */
  onCommit: (typed: string) => void
}

/** Field in which staff correct a text of a line. */
export function EditField({ value, onCommit, ...field }: Props) {
  const [typed, setTyped] = useTyped(value)
  const commit = () => {
    if (typed.trim() !== value) onCommit(typed.trim())
  }
  return (
    <InputField
      {...field}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  )
}

/**
 * Returns the mistake in a field as the field's error. If the user has excluded the line, returns the mistake as a
 * hint.
 */
export function faultProps(
  words: string | undefined,
  isOut: boolean,
): Pick<ComponentProps<typeof InputField>, 'error' | 'hint'> {
  return isOut ? { hint: words } : { error: words }
}
