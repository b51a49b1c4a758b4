import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { showRefusal } from '#api/refusals.ts'
import { auditCopy } from './copy.ts'
import { PersonField } from '#staff/forms/person-field.tsx'
import { lookupQuery } from '#staff/users/users.ts'
import { failureMessage, lazyCode } from '#ui/lazy/lazy.ts'
import { Button } from '#ui/button.tsx'
import { FiltersButton } from '#ui/filters-button.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { saveFile } from '#ui/save-file.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { namesOf, readAllEntries, unnamedIn, type AuditFilter } from './audit.ts'

const { filters: copy } = auditCopy

type Props = {
  filter: AuditFilter
  /** Whether the page shows only entries about one person. The filter then omits the field for this person. */
  isAboutOne: boolean
  /** Number of active filters. */
  active: number
  /** Returns the name of a person in the filter. Returns an empty string for `null` and while the name is being read. */
  nameOf: (id: string | null) => string
  onChange: (filter: Partial<AuditFilter>) => void
}

export function AuditFilters({ filter, isAboutOne, active, nameOf, onChange }: Props) {
  const { person, actor, action, from, to } = filter
  const fieldsId = useId()
  // On a phone, the fields are hidden until the button opens them.
  const [isOpen, setIsOpen] = useState(false)
  const nothing = { actor: null, action: null, from: null, to: null, ...(!isAboutOne && { person: null }) }
  return (
    <search className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-3 sm:px-6">
      <FiltersButton
        active={active}
        className="audit-opener"
        aria-expanded={isOpen}
        aria-controls={fieldsId}
        onClick={() => setIsOpen(!isOpen)}
      />
      <div id={fieldsId} className="audit-fields" data-open={isOpen || undefined}>
        {!isAboutOne && (
          <PersonField
            label={copy.person}
            placeholder={copy.everybody}
            value={nameOf(person)}
            onChoose={({ id }) => onChange({ person: id })}
            onLeave={(typed) => typed === '' && onChange({ person: null })}
          />
        )}
        <PersonField
          label={copy.actor}
          placeholder={copy.everybody}
          value={nameOf(actor)}
          onChoose={({ id }) => onChange({ actor: id })}
          onLeave={(typed) => typed === '' && onChange({ actor: null })}
        />
        <ActionField action={action} onChange={onChange} />
        <InputField
          label={copy.from}
          type="date"
          value={from ?? ''}
          onChange={({ target }) => onChange({ from: target.value || null })}
        />
        <InputField
          label={copy.to}
          type="date"
          value={to ?? ''}
          onChange={({ target }) => onChange({ to: target.value || null })}
        />
      </div>
      <div className="flex gap-3">
        <FileButton filter={filter} />
        {active > 0 && (
          <Button variant="quiet" aria-label={copy.clear} onClick={() => onChange(nothing)}>
            {copy.clearShort}
          </Button>
        )}
      </div>
    </search>
  )
}

type ActionProps = Pick<AuditFilter, 'action'> & Pick<Props, 'onChange'>

function ActionField({ action, onChange }: ActionProps) {
  return (
    <SelectField
      label={copy.action}
      className="audit-wide"
      value={action ?? ''}
      onChange={({ target }) => onChange({ action: target.value || null })}
    >
      <option value="">{copy.everyAction}</option>
      {Object.entries(auditCopy.actions).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}

const fileWriter = lazyCode(() => import('./audit-csv.ts'), 'auditCsv')

/** Button that downloads all entries that match the filter. */
function FileButton({ filter }: Pick<Props, 'filter'>) {
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) => {
    const refusals = { otherwise: failureMessage(error, copy.fileFailedText) }
    showRefusal(error, { name: 'file of the register', title: copy.fileFailed, refusals })
  })
  const download = async () => {
    const [auditCsv, { entries, isCut }] = await Promise.all([fileWriter.load(), readAllEntries(filter)])
    const ids = unnamedIn(entries)
    const names = namesOf(ids.length === 0 ? [] : await client.fetchQuery(lookupQuery(ids)))
    saveFile(copy.fileName, new Blob([auditCsv(entries, names)], { type: 'text/csv;charset=utf-8' }))
    if (isCut) showToast({ title: copy.file, description: copy.fileCut(entries.length) })
  }
  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => run(download)}>
      {copy.file}
    </Button>
  )
}
