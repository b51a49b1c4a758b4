import { createStore } from '#ui/store.ts'

/** The number of things that wait for the user on a page, and the same in words. */
type News = { figure: string; words: string }
export type NewsByPage = Readonly<Record<string, News | undefined>>

let shown: NewsByPage = {}
const store = createStore(() => shown)

/** Returns what waits on each page, by the page's path. A page without news has no entry. */
export const useNews = store.useValue

export function showNews(news: NewsByPage): void {
  shown = news
  store.announce()
}
