/**
 * Vitest's global setup for the database tests. Migrates one template database on the engine under test. Each test file
 * then uses a copy of this database.
 */
import type { TestProject } from 'vitest/node'
import { startCluster } from '#testing/cluster.ts'
import { migratedDataDirectory } from '#testing/data-directory.ts'
import { type TemplateCluster, migrateTemplate } from '#testing/database.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    /** The PostgreSQL cluster of this test run, or `null` on the embedded engine. */
    cluster: TemplateCluster | null
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.config.env['ENGINE'] !== 'postgres') {
    const template = await migratedDataDirectory()
    project.provide('cluster', null)
    return () => template.remove()
  }
  const cluster = await startCluster({ isDurable: false })
  await migrateTemplate(cluster)
  project.provide('cluster', { url: cluster.url, ownerUrl: cluster.ownerUrl })
  return () => cluster.stop()
}
