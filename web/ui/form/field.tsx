import { ChevronDown } from 'lucide-react'
import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { uiCopy } from '#ui/copy.ts'
import { textOf, type Reading } from './form.ts'

const control =
  'w-full min-h-11 rounded-md border border-control bg-surface px-3 py-2 text-base text-ink transition-colors hover:border-ink disabled:opacity-60 aria-invalid:border-danger aria-invalid:outline-danger'

type Labelled = {
  label: string
  isLabelHidden?: boolean | undefined
  /**
   * The error message for the value. The message is shown below the field, and screen readers announce it together with
   * the field.
   */
  error?: string | undefined
  hint?: ReactNode
}

type InputProps = Labelled &
  ComponentProps<'input'> & {
    suffix?: ReactNode
    /** Text shown in the field before the value, such as the currency of an amount. */
    mark?: string
  }

export function InputField({ suffix, mark, ...props }: InputProps) {
  const { field, attributes } = useField(props)
  return (
    <Field {...field}>
      <div className="relative">
        {mark !== undefined && (
          <span className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-sm text-muted">
            {mark}
          </span>
        )}
        <input
          {...attributes}
          className={`${control} ${suffix === undefined ? '' : 'pr-24'} ${mark === undefined ? '' : 'pl-12'}`}
        />
        {suffix !== undefined && <div className="absolute inset-y-0 right-1 flex items-center">{suffix}</div>}
      </div>
    </Field>
  )
}

type SelectProps = Labelled & ComponentProps<'select'>

export function SelectField({ children, ...props }: SelectProps) {
  const { field, attributes } = useField(props)
  return (
    <Field {...field}>
      <div className="relative">
        <select {...attributes} className={`${control} appearance-none truncate pr-9`}>
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  )
}

/** Separates the props of a field's label and messages from the attributes of its control. */
function useField<Attributes extends { className?: string | undefined }>({
  label,
  isLabelHidden,
  error,
  hint,
  className,
  ...others
}: Labelled & Attributes) {
  const id = useId()
  // The field shows its error instead of its hint.
  const message = error !== undefined ? 'error' : hint !== undefined ? 'hint' : null
  return {
    field: { id, label, isLabelHidden, error, hint, className },
    attributes: {
      ...others,
      id,
      'aria-invalid': error === undefined ? undefined : true,
      'aria-describedby': message === null ? undefined : `${id}-${message}`,
    },
  }
}

/**
 * An error message that does not concern a single field. The message is not a live region, because a toast has already
 * announced it.
 */
export function FormError({ children }: { children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p className="col-span-full rounded-md bg-danger-soft px-4 py-3 text-sm font-medium text-danger">
      {children}
    </p>
  )
}

type EndProps = ComponentProps<typeof Button> & {
  error: string | undefined
  /** True after a failed attempt that can be repeated safely with the same values. */
  isRetry: boolean
}

/**
 * The form's submit button, which is below the latest error message that does not concern a single field. After some
 * failures, the button offers a retry.
 */
export function FormEnd({ error, isRetry, children, ...button }: EndProps) {
  return (
    <>
      <FormError>{error}</FormError>
      <Button type="submit" onClick={refuseSecondClick} {...button}>
        {isRetry ? (
          <span>
            {`${uiCopy.retry}: `}
            <span className="inline-block first-letter:lowercase">{children}</span>
          </span>
        ) : (
          children
        )}
      </Button>
    </>
  )
}

/**
 * Ignores the second click of a double click, because the first click may have opened a question that the second click
 * would confirm.
 */
function refuseSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault()
}

type FieldProps = Labelled & {
  id: string
  className?: string | undefined
  children: ReactNode
}

function Field({ id, label, error, hint, className, isLabelHidden = false, children }: FieldProps) {
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint !== undefined && error === undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** Input field for a one-time code. Its name is `code`. */
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

/** Reads a code of six digits. Whitespace between the digits is ignored. */
export function readSixDigits(fields: FormData, missing: string): Reading<string, 'code'> {
  const code = textOf(fields, 'code').replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { ok: true, value: code } : { ok: false, errors: { code: missing } }
}
