import type { ReactNode } from 'react'
import { createStore } from '#ui/store.ts'

/** The number of things that wait for the user on a page, ready to be shown. */
export type News = {
  /** Id of the element that says the number in words. */
  id: string
  figure: ReactNode
  /** The end of a line of text, which leads to the page. */
  line: ReactNode
}
type NewsByPage = Readonly<Record<string, News | undefined>>

let shown: NewsByPage = {}
const store = createStore(() => shown)

/** Returns the news of each page, by the page's path. A page without news has no entry. */
export const useNews = store.useValue

export function showNews(news: NewsByPage): void {
  shown = news
  store.announce()
}
