/**
 * Vitest's global setup for the database tests. Migrates one template database on the engine under test. Each test file
 * then uses a copy of this database.
 */
import type { TestProject } from 'vitest/node'
import type { TemplateCluster } from '#testing/cluster-databases.ts'
import { openPlace } from '#testing/database.ts'
import { createOwnPlace } from '#testing/place.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    /** The PostgreSQL cluster of this test run, or `null` on the embedded engine. */
    cluster: TemplateCluster | null
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = await createOwnPlace(project.config.env['ENGINE'] === 'postgres' ? 'postgres' : 'pglite', {
    isDurable: false,
  })
  // The embedded engine's place is a copy of a migrated directory, which now exists and is copied for each test file.
  if (place.cluster !== null) await (await openPlace(place)).close()
  project.provide('cluster', place.cluster)
  return () => place.remove()
}
