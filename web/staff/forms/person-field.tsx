import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, type ComponentProps } from 'react'
import { peopleQuery, type ListedUser } from '#staff/users/users.ts'
import { InputField } from '#ui/form/field.tsx'
import { useDelayed } from '#ui/palette/use-delayed.ts'
import { useTyped } from './typed-text.ts'

type Props = Omit<ComponentProps<typeof InputField>, 'value' | 'onChange' | 'list' | 'autoComplete'> & {
  /** The text shown until the user types. */
  value: string
  /** Called as soon as the field contains the e-mail address of a user of the bank. */
  onChoose: (person: ListedUser) => void
  /** Called with a changed text when the user leaves the field or presses Enter. */
  onLeave: (typed: string) => void
}

/** Input for a user of the bank, which suggests users from the database while the user types. */
export function PersonField({ value, onChoose, onLeave, ...field }: Props) {
  const listId = useId()
  const [typed, setTyped] = useTyped(value)
  const text = typed.trim()
  const wanted = useDelayed(text === value ? '' : text)
  const { data: people = [], isFetching } = useQuery(peopleQuery(wanted))
  const match = people.find(({ email }) => email === text.toLowerCase())
  const choose = useEffectEvent(() => {
    if (match !== undefined && text !== value) onChoose(match)
  })
  useEffect(() => choose(), [match?.id])
  const leave = () => {
    if (text === value) return
    onLeave(text)
    // While the search is running, the text may still turn out to be the e-mail address of a user.
    if (wanted === text && !isFetching) setTyped(value)
  }
  return (
    <>
      <InputField
        {...field}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={leave}
        onKeyDown={({ key }) => key === 'Enter' && leave()}
      />
      <datalist id={listId}>
        {people.map(({ id, email, fullName }) => (
          <option key={id} value={email}>
            {fullName}
          </option>
        ))}
      </datalist>
    </>
  )
}
