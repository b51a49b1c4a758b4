import { useRef } from 'react'
import { newIdempotencyKey } from '#backend/functions.ts'

/** An id for what is sent: the same content has the same one, however often it is sent. */
export function useContentId(): (content: unknown) => string {
  const last = useRef({ content: '', id: '' })
  return (value) => {
    const content = JSON.stringify(value)
    if (last.current.content !== content) last.current = { content, id: newIdempotencyKey() }
    return last.current.id
  }
}
