import { useState, type ComponentProps } from 'react'
import { uiCopy } from '#ui/copy.ts'
import { InputField } from './field.tsx'

type Props = Omit<ComponentProps<typeof InputField>, 'type' | 'suffix'>

/** Password field with a button that makes the password visible. */
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
          {isShown ? uiCopy.hidePassword : uiCopy.showPassword}
        </button>
      }
    />
  )
}
