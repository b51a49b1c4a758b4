/** Tables and functions of the server's own description, which it makes of pg_catalog. */
import { ownerColumn } from '#supabase/authorization/is-permitted.ts'
import { rawRest, serviceHeaders } from '#tests/wire/rest/raw-rest.ts'

/** A column or an argument. */
export type Named = { readonly name: string; readonly type: string }

export type Offered = {
  readonly tables: readonly {
    readonly name: string
    readonly owner: string | null
    readonly columns: readonly Named[]
  }[]
  readonly functions: readonly { readonly name: string; readonly parameters: readonly Named[] }[]
}

type Properties = { properties?: Record<string, { format: string }> }
type Description = {
  definitions: Record<string, Properties>
  paths: Record<string, { post?: { parameters: { in: string; schema?: Properties }[] } }>
}

/** Reads the description with the service key. */
export async function readOffered(): Promise<Offered> {
  const { definitions, paths } = (await rawRest('GET', '/', { headers: serviceHeaders() }))
    .body as Description
  const named = (of: Properties | undefined) =>
    Object.entries(of?.properties ?? {}).map(([name, { format }]) => ({ name, type: format }))
  return {
    tables: Object.entries(definitions).map(([name, definition]) => {
      const columns = named(definition)
      return {
        name,
        columns,
        owner: ownerColumn(
          name,
          columns.map((column) => column.name),
        ),
      }
    }),
    functions: Object.entries(paths)
      .filter(([path]) => path.startsWith('/rpc/'))
      .map(([path, { post }]) => ({
        name: path.slice('/rpc/'.length),
        parameters: named(post?.parameters.find((each) => each.in === 'body')?.schema),
      })),
  }
}
