import { Search, X } from 'lucide-react'
import { useImperativeHandle, useRef, type Ref } from 'react'
import { uiCopy } from '#ui/copy.ts'

type Props = {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  className?: string
  ref?: Ref<HTMLInputElement>
}

export function SearchField({ label, placeholder, value, onChange, className, ref }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  const clear = () => {
    onChange('')
    input.current?.focus()
  }
  return (
    <div className={`relative ${className ?? ''}`}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3.5 size-4.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-11 w-full appearance-none rounded-md border border-control bg-surface py-2 pr-11 pl-10 text-base placeholder-shown:pr-3 hover:border-ink [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={uiCopy.clearSearch}
          onClick={clear}
          className="absolute top-0 right-0 grid size-11 place-items-center rounded-sm text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
