/** Simulates in the database that time passes. */
import { inject, test } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'

// Only PostgreSQL lets a test write to the database as its owner.
export const onPostgres = test.skipIf(inject('server').ownerUrl === null)

/**
 * Changes the person's sessions in the database as if the person had last entered the password or a code an hour ago.
 */
export async function signedInLongAgo<P extends { readonly id: string }>(person: P): Promise<P> {
  await runAsOwner(
    `update auth.sessions set amr = (
       select jsonb_agg(jsonb_set(a, '{timestamp}', to_jsonb((a ->> 'timestamp')::bigint - 3600)))
       from jsonb_array_elements(amr) a)
     where user_id = '${person.id}'`,
  )
  return person
}
