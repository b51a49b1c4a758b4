/** The text of each topic about which the bank tells people by itself (`private.topics`). */
import { customerTopics } from './customer-topics.ts'
import type { News, NewsCopy } from './news.ts'
import { operatorTopics } from './operator-topics.ts'
import { personTopics } from './person-topics.ts'
import { staffTopics } from './staff-topics.ts'

export const topics: Readonly<Record<string, (news: News) => NewsCopy>> = {
  ...customerTopics,
  ...personTopics,
  ...staffTopics,
  ...operatorTopics,
}
