import { useState, type ComponentProps } from 'react'
import { InputField } from '#ui/form/field.tsx'
import { authCopy } from './copy.ts'

type Props = Omit<ComponentProps<typeof InputField>, 'type' | 'suffix'>

export function PasswordField(props: Props) {
  const [isShown, setIsShown] = useState(false)
  return (
    <InputField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
          className="min-h-9 rounded-sm px-2.5 text-sm font-medium text-primary hover:bg-primary-soft"
        >
          {isShown ? authCopy.hidePassword : authCopy.showPassword}
        </button>
      }
    />
  )
}
