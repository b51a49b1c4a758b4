import { useQuery } from '@tanstack/react-query'
import { categorizationQuery } from './rules.ts'
import { useUser } from '#people/session/session.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { categoriesCopy as copy } from './page-copy.ts'
import { OwnCard } from './own-card.tsx'
import { RulesCard } from './rules-card.tsx'
import './categories.css'

/** The customer's own categories, and the rules that categorize transactions by their description. */
export function CategoriesPage() {
  const user = useUser()
  const categorization = useQuery(categorizationQuery(user.id))
  return (
    <>
      <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />} />
      {categorization.data !== undefined ? (
        <div className="categories-parts">
          <OwnCard userId={user.id} own={categorization.data.categories} />
          <RulesCard userId={user.id} categorization={categorization.data} />
        </div>
      ) : (
        <UnreadCard query={categorization} loading={copy.loading} message={copy.unread} />
      )}
    </>
  )
}
