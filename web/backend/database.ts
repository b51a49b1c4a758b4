import type { Budget, NewTransaction, Profile, Transaction, UserSafe } from '@finanzas/contract/rows.ts'

/** The tables as the client's types want them, so that a query's result is typed by its select text. */
export type Database = {
  public: {
    Tables: {
      transactions: { Row: Transaction; Insert: NewTransaction; Update: never; Relationships: [] }
      budgets: {
        Row: Budget
        Insert: never
        Update: Pick<Budget, 'monthly_limit'>
        Relationships: []
      }
      profiles: {
        Row: Profile
        Insert: never
        Update: Pick<Profile, 'role'>
        Relationships: [
          {
            foreignKeyName: 'profiles_id_fkey'
            columns: ['id']
            isOneToOne: true
            referencedRelation: 'user_safe'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: { user_safe: { Row: UserSafe; Relationships: [] } }
    Functions: Record<string, never>
  }
}
