// The description of the schema is for the operator's programs alone.
import { inject, expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { rawRest, serviceHeaders } from './raw-rest.ts'

type Description = {
  swagger: string
  paths: Record<string, object>
  definitions: Record<
    string,
    { description?: string; required: string[]; properties: Record<string, object> }
  >
}

test('the service key reads tables, columns and functions with their comments', async () => {
  const { status, headers, body } = await rawRest('GET', '/', { headers: serviceHeaders() })
  const { swagger, paths, definitions } = body as Description

  expect([status, swagger]).toEqual([200, '2.0'])
  expect(headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/transactions', '/rpc/register_transaction']))
  expect(definitions['transactions']).toMatchObject({
    description: expect.stringContaining('One row for each deposit or expense'),
    required: ['type', 'description', 'amount'],
    properties: { amount: { type: 'number', format: 'numeric' }, date: { type: 'string' } },
  })
  expect(Object.keys(paths)).not.toContain('/journal')
  expect(JSON.stringify(body)).not.toContain('encrypted_password')
})

test('a customer, an administrator and nobody in particular are refused', async () => {
  const people = [await signUpCustomer(), await administrator(), undefined]

  for (const as of people) {
    const { status, body } = await rawRest('GET', '/', as === undefined ? {} : { as })
    expect({ status, body }).toEqual({
      status: 404,
      body: expect.objectContaining({ code: 'PGRST126', message: 'Root endpoint metadata is disabled' }),
    })
  }
})

test('a page of another origin cannot present the service key', async () => {
  const { status } = await rawRest('GET', '/', {
    headers: { ...serviceHeaders(), origin: inject('server').url },
  })

  expect(status).toBe(401)
})
