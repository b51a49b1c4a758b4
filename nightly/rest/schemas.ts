/**
 * Generates random schemas and compares the answers of the table API with direct database queries
 * (tests/database/schema-property.ts).
 */
import { findMisserved } from '#tests/database/schema-property.ts'
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { type Engine, openBank } from '#nightly/fixtures/servers.ts'

export async function runSchemas({
  engine,
  schemas,
  seed,
}: {
  readonly engine: Engine
  readonly schemas: number
  readonly seed: number
}): Promise<Metric[]> {
  const bank = await openBank(engine)
  try {
    const { finding, objects } = await findMisserved(bank, { runs: schemas, seed })
    if (finding !== null) process.stdout.write(`${finding}\n`)
    return [
      metricWithoutThreshold(`random schemas, ${engine}`, schemas),
      counted('objects whose answers were compared', objects),
      none(
        'schemas with an object that is misserved, or that disturbs another',
        finding === null ? [] : [finding],
      ),
    ]
  } finally {
    await bank.close()
  }
}
