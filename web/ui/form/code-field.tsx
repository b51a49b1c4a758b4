import type { ComponentProps } from 'react'
import { InputField } from './field.tsx'
import { textOf, type Reading } from './form.ts'

/** A field for a one-time code, named `code`. */
export function CodeField(props: ComponentProps<typeof InputField>) {
  return (
    <InputField
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      name="code"
    />
  )
}

/** Six digits, with or without blanks between them. */
export function readSixDigits(fields: FormData, missing: string): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { ok: true, value: code } : { ok: false, errors: { code: missing } }
}
