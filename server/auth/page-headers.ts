/**
 * Pagination of lists (GoTrue, `api/pagination.go`). A request selects a page by its number; the answer has a `Link`
 * header (RFC 8288) and the total count.
 */
import type { FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { authErrors } from './errors.ts'
import { readQuery } from './request-body.ts'

/** `page` counts from 1. */
export type Page = { readonly page: number; readonly perPage: number }

const perPageDefault = 50
const perPageMax = 1000
const pageMax = 1_000_000

export function readPage(request: FastifyRequest): Page {
  return {
    page: readCount(request, 'page', { fallback: 1, max: pageMax }),
    perPage: readCount(request, 'per_page', { fallback: perPageDefault, max: perPageMax }),
  }
}

export function pageHeaders(
  address: string,
  { page, perPage, total }: Page & { readonly total: number },
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage))
  const linkTo = (number: number, rel: string) =>
    `<${address}?page=${number}&per_page=${perPage}>; rel="${rel}"`
  const links = [...(page < last ? [linkTo(page + 1, 'next')] : []), linkTo(last, 'last')]
  return { link: links.join(', '), 'x-total-count': String(total) }
}

function readCount(
  request: FastifyRequest,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const text = readQuery(request, name)
  if (text === null) return fallback
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > max) throw new WireError(authErrors.invalidPage)
  return count
}
