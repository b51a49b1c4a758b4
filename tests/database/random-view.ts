/** Makes the views of a random schema. */
import { type Made, type Spec, q, relationsOf } from './random-object.ts'
import { identifier } from './table-api.ts'

/** Returns a view of a form. */
export function viewsOf(
  { form, of }: Extract<Spec, { kind: 'view' }>,
  name: string,
  made: readonly Made[],
): Made[] {
  const relations = relationsOf(made)
  const source = relations[of % Math.max(1, relations.length)]
  const from = source === undefined ? '(select 1 as one) s' : `${q(source.name)} s`
  const all = source?.columns ?? ['one']
  const view = (list: string, shown: readonly string[], kind = 'view'): Made => ({
    name,
    columns: shown,
    is: 'relation',
    sql: `create ${kind} ${q(name)} as select ${list} from ${from}`,
  })
  switch (form) {
    case 'whole':
      return [view('*', all)]
    case 'materialized':
      return [view('*', all, 'materialized view')]
    case 'without columns':
      return [view('', [])]
    case 'twice': {
      const column = identifier(all[0] ?? 'one')
      return [view(`s.${column} as once, s.${column} as again`, ['once', 'again'])]
    }
    case 'expression':
      return [
        view(`s as whole_row, row_to_json(s) as "as json", null as nothing, 'x' as unknown`, [
          'whole_row',
          'as json',
          'nothing',
          'unknown',
        ]),
      ]
    case 'circle':
      return [
        {
          name,
          columns: ['id', 'name'],
          is: 'relation',
          sql: `create view ${q(name)} as select 1 as id, 'x'::text as name; create or replace view ${q(name)} as table ${q(name)}`,
        },
      ]
    case 'two in a circle': {
      const other = `${name.slice(0, 20)}_back`
      return [
        {
          name,
          columns: ['id'],
          is: 'relation',
          sql: `create view ${q(name)} as select 1 as id; create view ${q(other)} as select id from ${q(name)};
            create or replace view ${q(name)} as select id from ${q(other)}`,
        },
      ]
    }
    default:
      return form satisfies never
  }
}
