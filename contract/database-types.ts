/**
 * The tables, views and functions of schema `public`, in the form that supabase-js expects, and the lists that the
 * database and the page share. `npm run types` generates this file from the catalogue of a migrated database; a test
 * fails when the file is out of date.
 * `Insert` and `Update` have only the columns that a signed-in person may write; the bank writes the other
 * columns through functions. Numbers may be sent as decimal text, so that they keep all digits.
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

/** The database, as the type parameter of `createClient`. */
export type Database = {
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: {
      account_holders: {
        Row: {
          user_id: string
          account_number: string
          full_name: string | null
          document_kind: 'CC' | 'CE' | 'NIT' | 'PA' | 'PPT' | 'RC' | 'TI' | null
          document_number: string | null
          phone: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      batch_lines: {
        Row: {
          batch_id: string
          line: number
          user_id: string | null
          amount: number
          description: string | null
          transaction_id: string
          status: 'waiting' | 'posted' | 'failed' | 'reversing' | 'reversed'
          fault: string | null
          invitation: 'waiting' | 'sent' | 'refused' | null
          invited_at: string | null
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: 'batch_lines_batch_id_fkey'
            columns: ['batch_id']
            isOneToOne: false
            referencedRelation: 'batches'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'batch_lines_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      batches: {
        Row: {
          id: string
          title: string
          created_at: string
          sent_by: string
          sent_by_name: string | null
          posted_by: string
          lines: number
          amount: number
          posted: number
          posted_amount: number
          failed: number
          reversed_at: string | null
          reversed_by: string | null
          reversed_by_name: string | null
          reason: string | null
          reversed: number
          reversed_amount: number
          kept: number
          is_held: boolean
          opens_accounts: boolean
          invites_since: string | null
          invited_by: string | null
          stopped_at: string | null
          finished_at: string | null
          body_hash: string
        }
        Insert: never
        Update: never
        Relationships: []
      }
      beneficiaries: {
        Row: {
          user_id: string
          id: string
          name: string
          address: string | null
          destination: Json | null
          created_at: string
          confirmed_at: string | null
          payee_name: string | null
          removed_at: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      budgets: {
        Row: { user_id: string; balance: number; monthly_limit: number | null; noted: number }
        Insert: never
        Update: { monthly_limit?: number | string | null }
        Relationships: []
      }
      categories: {
        Row: { user_id: string; name: string }
        Insert: { user_id?: string; name: string }
        Update: { name?: string }
        Relationships: []
      }
      category_budgets: {
        Row: {
          user_id: string
          category: string
          month: string
          monthly_limit: number | null
          carries_over: boolean
        }
        Insert: never
        Update: never
        Relationships: []
      }
      category_rules: {
        Row: {
          user_id: string
          id: string
          contains: string
          category: string
          position: number
          created_at: string
          first_seq: number | null
          entries: number | null
          undone_at: string | null
          folded: string
        }
        Insert: { user_id?: string; id?: string; contains: string; category: string }
        Update: {
          contains?: string
          category?: string
          position?: number | string
          first_seq?: number | string | null
          entries?: number | null
          undone_at?: string | null
        }
        Relationships: []
      }
      corrections: {
        Row: {
          user_id: string
          id: string
          corrected_id: string
          mistake_id: string
          makes_void: boolean
          dated_at: string
          replacement_id: string | null
          reason: string
          corrected_by: string | null
          corrected_at: string
        }
        Insert: never
        Update: never
        Relationships: []
      }
      holder_corrections: {
        Row: {
          id: string
          user_id: string
          corrected_at: string
          corrected_by: string | null
          before: Json
          after: Json
        }
        Insert: never
        Update: never
        Relationships: []
      }
      import_lines: {
        Row: {
          user_id: string
          transaction_id: string
          date: string
          amount: number
          description: string | null
          reference: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      imports: {
        Row: {
          user_id: string
          id: string
          created_at: string
          entries: number
          amount: number
          first_seq: number
          body_hash: string
          undone_at: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      new_accounts: {
        Row: {
          batch_id: string
          line: number
          user_id: string
          full_name: string
          email: string
          document_kind: string | null
          document_number: string | null
          phone: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      notification_preferences: {
        Row: {
          user_id: string
          kind:
            | 'deposit'
            | 'correction'
            | 'transfer'
            | 'large_expense'
            | 'category_limit'
            | 'low_balance'
            | 'statement'
          amount: number | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      notifications: {
        Row: {
          user_id: string
          id: string
          kind:
            | 'deposit'
            | 'correction'
            | 'transfer'
            | 'large_expense'
            | 'category_limit'
            | 'low_balance'
            | 'statement'
            | 'new_device'
            | 'stopped'
          detail: string | null
          events: number
          happened_at: string
          read_at: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      profiles: {
        Row: { id: string; full_name: string | null; role: 'user' | 'admin' }
        Insert: never
        Update: { role?: 'user' | 'admin' }
        Relationships: []
      }
      recurring_expenses: {
        Row: {
          user_id: string
          id: string
          description: string
          amount: number
          category: string | null
          rhythm: 'weekly' | 'biweekly' | 'monthly' | 'yearly'
          due_day: number | null
          next_due_on: string
          expected_from: string
          is_automatic: boolean
          status: 'active' | 'paused' | 'ended' | 'dismissed'
          created_at: string
        }
        Insert: never
        Update: never
        Relationships: []
      }
      recurring_occurrences: {
        Row: {
          user_id: string
          recurring_id: string
          due_on: string
          amount: number
          transaction_id: string | null
          recorded_at: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: 'recurring_occurrences_user_id_recurring_id_fkey'
            columns: ['user_id', 'recurring_id']
            isOneToOne: false
            referencedRelation: 'recurring_expenses'
            referencedColumns: ['user_id', 'id']
          },
        ]
      }
      requests: {
        Row: {
          id: string
          kind:
            | 'transfer'
            | 'transaction'
            | 'correction'
            | 'batch'
            | 'deletion'
            | 'promotion'
            | 'demotion'
            | 'block'
            | 'factor'
            | 'return'
            | 'file_return'
          status:
            | 'waiting'
            | 'scheduled'
            | 'done'
            | 'declined'
            | 'cancelled'
            | 'expired'
            | 'failed'
            | 'returned'
          asked_by: string
          asked_at: string
          payer: string | null
          payer_name: string | null
          payee: string | null
          payee_name: string | null
          payee_masked: string | null
          about: string | null
          amount: number | null
          description: string | null
          due_on: string | null
          expires_at: string
          risk: number
          first_approved_by: string | null
          decided_by: string | null
          decided_by_name: string | null
          decided_at: string | null
          reason: string | null
          ended_at: string | null
          body_hash: string
          details: Json | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      transaction_edits: {
        Row: {
          user_id: string
          seq: number
          transaction_id: string
          recorded_at: string
          before: Json
          after: Json
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: 'transaction_edits_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'budgets'
            referencedColumns: ['user_id']
          },
        ]
      }
      transactions: {
        Row: {
          user_id: string
          id: string
          type: 'deposit' | 'expense'
          description: string
          amount: number
          date: string
          category: string | null
          recorded_by: 'customer' | 'bank'
          is_void: boolean
          origin: 'own' | 'import' | 'recurring' | 'clerk' | 'batch' | 'transfer' | 'return' | 'correction'
          origin_id: string | null
        }
        Insert: {
          user_id?: string
          id?: string
          type: 'deposit' | 'expense'
          description: string
          amount: number | string
          date?: string
          category?: string | null
        }
        Update: { description?: string; category?: string | null }
        Relationships: []
      }
      user_safe: {
        Row: { id: string; email: string; last_sign_in_at: string | null }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: 'user_safe_id_fkey'
            columns: ['id']
            isOneToOne: true
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: {
      audit_entries: {
        Row: {
          id: number | null
          recorded_at: string | null
          origin: string | null
          actor: string | null
          actor_name: string | null
          session_id: string | null
          request_id: string | null
          action: string | null
          target: string | null
          target_name: string | null
          before: Json | null
          after: Json | null
          previous_hash: string | null
          hash: string | null
        }
        Relationships: []
      }
      journal_entries: {
        Row: {
          user_id: string
          seq: number
          kind: string | null
          origin: string | null
          origin_id: string | null
          transaction_id: string | null
          delta: number | null
          balance_after: number | null
          actor: string | null
          dated_at: string | null
          recorded_at: string | null
          previous_hash: string | null
          hash: string | null
          is_note: boolean | null
        }
        Relationships: []
      }
    }
    Functions: {
      abort_user_creation: {
        Args: { actor: string; session_id: string; idempotency_key: string }
        Returns: undefined
      }
      add_account_beneficiary: {
        Args: {
          id: string
          name: string
          bank: string
          account_kind: string
          account_number: string
          document_kind: string
          document: string
        }
        Returns: Database['public']['Tables']['beneficiaries']['Row']
      }
      add_beneficiary: {
        Args: { id: string; name: string; address: string }
        Returns: Database['public']['Tables']['beneficiaries']['Row']
      }
      amend_expense: {
        Args: { id: string; changes: Json }
        Returns: Database['public']['Tables']['transactions']['Row']
      }
      apply_category_rule: {
        Args: { id: string }
        Returns: Database['public']['Tables']['category_rules']['Row']
      }
      audit_of: {
        Args: {
          user_id?: string
          actor?: string
          action?: string
          since?: string
          until?: string
          before_entry?: number | string
          rows_max?: number
          kind?: string
        }
        Returns: Database['public']['Views']['audit_entries']['Row'][]
      }
      balance_certificate: {
        Args: { user_id?: string; until_seq?: number | string; reason?: string }
        Returns: {
          account: string
          holder_name: string | null
          holder_is_verified: boolean | null
          holder_email: string | null
          holder_account_number: string | null
          holder_document_kind: string | null
          holder_document_number: string | null
          booked: number
          certified_at: string
          seq: number
          hash: string
          is_current: boolean
        }
      }
      begin_email_change: {
        Args: {
          actor: string
          session_id: string
          user_id: string
          idempotency_key?: string
          body_hash?: string
        }
        Returns: undefined
      }
      begin_link_mail: {
        Args: {
          actor: string
          session_id: string
          user_id: string
          idempotency_key?: string
          body_hash?: string
        }
        Returns: undefined
      }
      begin_user_creation: {
        Args: {
          actor: string
          session_id: string
          user_id: string
          role: string
          idempotency_key?: string
          body_hash?: string
        }
        Returns: Json
      }
      block_user: {
        Args: { user_id: string; reason: string; hours?: number; idempotency_key?: string }
        Returns: undefined
      }
      cancel_email_change: { Args: { user_id: string; idempotency_key?: string }; Returns: undefined }
      cancel_request: { Args: { id: string }; Returns: Database['public']['Tables']['requests']['Row'] }
      cancel_transfer: { Args: { id: string }; Returns: Database['public']['Tables']['requests']['Row'] }
      close_clearing_file: {
        Args: { number: number }
        Returns: {
          number: number
          closed_at: string
          closed_by_name: string | null
          transfers: number
          amount: number
          csv: string | null
          xml: string | null
          csv_hash: string | null
          xml_hash: string | null
          returned: number | null
          unreturned: { id: string; amount: number; reason: string }[] | null
        }
      }
      confirm_beneficiary: {
        Args: { id: string; again?: boolean }
        Returns: Database['public']['Tables']['beneficiaries']['Row']
      }
      continue_batch: { Args: { id: string }; Returns: Database['public']['Tables']['batches']['Row'] }
      correct_holder: {
        Args: {
          user_id: string
          full_name: string
          document_kind?: string
          document_number?: string
          phone?: string
          idempotency_key?: string
        }
        Returns: undefined
      }
      correct_transaction: {
        Args: {
          user_id: string
          transaction_id: string
          reason: string
          idempotency_key?: string
          right_amount?: number | string
        }
        Returns: string
      }
      count_invitations: {
        Args: { id: string }
        Returns: {
          accounts: number
          invited: number
          taken: number
          expired: number
          refused: number
          has_administrator: boolean | null
        }
      }
      count_news: { Args: never; Returns: Json }
      count_rule_matches: { Args: { contains: string; category?: string }; Returns: number }
      create_batch: {
        Args: { id: string; title: string; lines: Json }
        Returns: Database['public']['Tables']['batches']['Row']
      }
      create_customers: {
        Args: { id: string; title: string; lines: Json }
        Returns: Database['public']['Tables']['batches']['Row']
      }
      decide_requests: {
        Args: { ids: string[]; approve: boolean; reason?: string }
        Returns: Database['public']['Tables']['requests']['Row'][]
      }
      delete_user: {
        Args: {
          actor: string
          session_id: string
          user_id: string
          idempotency_key?: string
          body_hash?: string
        }
        Returns: Json
      }
      end_session: { Args: { session_id: string }; Returns: undefined }
      end_sessions: { Args: { user_id: string; idempotency_key?: string }; Returns: undefined }
      erase_account: { Args: { user_id: string }; Returns: undefined }
      expected_payments: {
        Args: never
        Returns: {
          recurring_id: string
          due_on: string
          amount: number
          transaction_id: string | null
          paid_on: string | null
          is_overdue: boolean
        }[]
      }
      explain_balance: {
        Args: never
        Returns: {
          balance: number
          opening: number
          deposits: number
          expenses: number
          corrections: number
          booked: number
          noted: number
          void_ids: string[]
          entries: number
          last_seq: number | null
          last_kind: string | null
          last_recorded_at: string | null
        }
      }
      export_my_data: { Args: never; Returns: Json }
      find_customers: { Args: { names: string[] }; Returns: Json }
      import_transactions: {
        Args: { id: string; rows: Json }
        Returns: Database['public']['Tables']['imports']['Row']
      }
      invite_customers: { Args: { id: string }; Returns: Database['public']['Tables']['batches']['Row'] }
      issue_statement: { Args: { user_id: string; month: string; reason: string }; Returns: Json }
      list_clearing: {
        Args: never
        Returns: {
          next_number: number
          waiting: number
          waiting_amount: number
          waiting_since: string | null
          handed_amount: number
          files: {
            number: number
            closed_at: string
            closed_by_name: string | null
            transfers: number
            amount: number
            csv: string | null
            xml: string | null
            csv_hash: string | null
            xml_hash: string | null
            returned: number | null
            unreturned: { id: string; amount: number; reason: string }[] | null
          }[]
          has_account: boolean
        }
      }
      list_customers: {
        Args: {
          search?: string
          state?: string
          sort?: string
          is_descending?: boolean
          after_key?: string
          after_id?: string
          rows_max?: number
        }
        Returns: {
          total: number | null
          overdrawn: number | null
          blocked: number | null
          unconfirmed: number | null
          customers: {
            id: string
            full_name: string | null
            email: string
            role: string
            last_sign_in_at: string | null
            is_confirmed: boolean
            is_blocked: boolean
            balance: number
            last_date: string | null
            last_description: string | null
          }[]
          end_key: string | null
          end_id: string | null
        }
      }
      list_decided_requests: {
        Args: { state?: string; before_asked_at?: string; before_id?: string; rows_max?: number }
        Returns: {
          id: string
          kind: string
          status: string
          asked_by: string
          asked_by_name: string | null
          asked_at: string
          payer: string | null
          payer_name: string | null
          payer_document: string | null
          payee: string | null
          payee_name: string | null
          payee_document: string | null
          about: string | null
          about_name: string | null
          amount: number | null
          description: string | null
          due_on: string | null
          expires_at: string
          risk: number
          decided_by: string | null
          decided_by_name: string | null
          reason: string | null
          details: Json | null
          clearing_file: number | null
          obstacle: string | null
          is_stuck: boolean
          first_approved_by_name: string | null
          facts: {
            balance: number | null
            held: number | null
            available_after: number | null
            has_sent: boolean | null
            usual_max: number | null
            sent_recently: number | null
            transfers_today: number | null
            payee_since: string | null
            access_acts: { act: string; acted_at: string }[]
          } | null
        }[]
      }
      list_waiting_requests: {
        Args: { rows_max?: number }
        Returns: {
          total: number
          amount: number
          first_expires_at: string | null
          requests: {
            id: string
            kind: string
            status: string
            asked_by: string
            asked_by_name: string | null
            asked_at: string
            payer: string | null
            payer_name: string | null
            payer_document: string | null
            payee: string | null
            payee_name: string | null
            payee_document: string | null
            about: string | null
            about_name: string | null
            amount: number | null
            description: string | null
            due_on: string | null
            expires_at: string
            risk: number
            decided_by: string | null
            decided_by_name: string | null
            reason: string | null
            details: Json | null
            clearing_file: number | null
            obstacle: string | null
            is_stuck: boolean
            first_approved_by_name: string | null
            facts: {
              balance: number | null
              held: number | null
              available_after: number | null
              has_sent: boolean | null
              usual_max: number | null
              sent_recently: number | null
              transfers_today: number | null
              payee_since: string | null
              access_acts: { act: string; acted_at: string }[]
            } | null
          }[]
        }
      }
      open_customer: { Args: { user_id: string }; Returns: Json }
      order_category_rules: { Args: { ids: string[] }; Returns: undefined }
      own_alias: { Args: never; Returns: { alias: string | null; changes_left: number; is_taken: boolean } }
      own_sessions: {
        Args: never
        Returns: {
          id: string
          is_present: boolean
          began_at: string
          last_used_at: string
          user_agent: string | null
          network: string | null
        }[]
      }
      propose_recurring_expenses: { Args: never; Returns: Json }
      read_bank_state: {
        Args: never
        Returns: {
          read_at: string
          serving_since: string | null
          migration: string | null
          database_version: string
          database_bytes: number
          last_backup_at: string | null
          ledger_checked_at: string | null
          is_ledger_broken: boolean
          mails_waiting: number | null
          oldest_mail_at: string | null
          needs_administrator: boolean
          servers: {
            name: string | null
            version: string
            engine: string
            started_at: string
            seen_at: string
            is_gone: boolean
            disk_free_bytes: number | null
            backup_interval_minutes: number | null
            last_backup_at: string | null
          }[]
          alarms: { code: string; server: string | null; begun_at: string; ended_at: string | null }[]
        }
      }
      read_clearing_file: {
        Args: { number: number }
        Returns: {
          number: number
          closed_at: string
          closed_by_name: string | null
          transfers: number
          amount: number
          csv: string | null
          xml: string | null
          csv_hash: string | null
          xml_hash: string | null
          returned: number | null
          unreturned: { id: string; amount: number; reason: string }[] | null
        }
      }
      read_customer_balance: {
        Args: { user_id: string }
        Returns: {
          balance: number
          opening: number
          deposits: number
          expenses: number
          corrections: number
          booked: number
          noted: number
          void_ids: string[]
          entries: number
          last_seq: number | null
          last_kind: string | null
          last_recorded_at: string | null
        }
      }
      read_customer_journal: {
        Args: { user_id: string; after_seq?: number | string; rows_max?: number }
        Returns: Database['public']['Views']['journal_entries']['Row'][]
      }
      read_customer_statement: {
        Args: { user_id: string; month: string; until_seq?: number | string; after_row?: number }
        Returns: Json
      }
      read_customer_transactions: {
        Args: { user_id: string; before_date?: string; before_id?: string; rows_max?: number }
        Returns: Database['public']['Tables']['transactions']['Row'][]
      }
      read_day_of_staff: {
        Args: never
        Returns: {
          deposits: number
          deposited: number
          expenses: number
          spent: number
          corrections: number
          batches: number
          batched: number
          decisions: number
          others: number
          left_alone: number | null
          unanswered: number
          unanswered_batch: string | null
        }
      }
      read_failed_accounts: {
        Args: { id: string; after_line?: number }
        Returns: {
          line: number
          amount: number
          full_name: string
          email: string
          document_kind: string
          document_number: string
          phone: string
        }[]
      }
      read_holder_corrections: {
        Args: { user_id: string }
        Returns: Database['public']['Tables']['holder_corrections']['Row'][]
      }
      read_notifications: { Args: never; Returns: undefined }
      receipt: {
        Args: { transaction_id: string; user_id?: string; posted_seq?: number | string; reason?: string }
        Returns: {
          account: string
          holder_name: string | null
          holder_is_verified: boolean | null
          holder_email: string | null
          holder_account_number: string | null
          holder_document_kind: string | null
          holder_document_number: string | null
          transaction_id: string
          seq: number
          type: string
          amount: number
          dated_at: string
          recorded_at: string
          recorded_by: string | null
          description: string | null
          state: string | null
          reason: string | null
          hash: string
          transfer_id: string | null
          counterparty: string | null
          counterparty_masked: string | null
          concept: string | null
          return_id: string | null
        }
      }
      record_audit: {
        Args: { action: string; actor: string; target: string; before: Json; after: Json }
        Returns: number
      }
      register_transaction: {
        Args: {
          actor: string
          session_id: string
          user_id: string
          type: string
          amount: number | string
          description: string
          date: string
          category: string
          idempotency_key?: string
          body_hash?: string
        }
        Returns: Json
      }
      remove_beneficiary: {
        Args: { id: string }
        Returns: Database['public']['Tables']['beneficiaries']['Row']
      }
      request_transfer: {
        Args: {
          id: string
          beneficiary_id: string
          amount: number | string
          description?: string
          due_on?: string
        }
        Returns: Database['public']['Tables']['requests']['Row']
      }
      reset_factor: { Args: { user_id: string; idempotency_key?: string }; Returns: undefined }
      restore_transaction: {
        Args: { id: string }
        Returns: Database['public']['Tables']['transactions']['Row']
      }
      return_clearing_file: {
        Args: { number: number; reason: string }
        Returns: { transfers: number; amount: number; left_out: number; is_waiting: boolean }
      }
      return_transfer: {
        Args: { id: string; reason: string }
        Returns: Database['public']['Tables']['requests']['Row']
      }
      reverse_batch: {
        Args: { id: string; reason: string }
        Returns: Database['public']['Tables']['batches']['Row']
      }
      save_recurring_expense: {
        Args: {
          id: string
          description: string
          amount: number | string
          rhythm: string
          next_due_on: string
          category?: string
          due_day?: number
          status?: string
          is_automatic?: boolean
        }
        Returns: Database['public']['Tables']['recurring_expenses']['Row']
      }
      search_bank: {
        Args: { search: string; amount?: number | string }
        Returns: {
          customers: {
            id: string
            full_name: string | null
            email: string
            role: string
            last_sign_in_at: string | null
            is_confirmed: boolean
            is_blocked: boolean
            balance: number
            last_date: string | null
            last_description: string | null
          }[]
          transactions: {
            user_id: string
            full_name: string | null
            email: string
            id: string
            type: string
            description: string
            amount: number
            date: string
          }[]
        }
      }
      set_alias: {
        Args: { alias: string }
        Returns: { alias: string | null; changes_left: number; is_taken: boolean }
      }
      set_category_budget: {
        Args: { category: string; monthly_limit: number | string; carries_over?: boolean }
        Returns: undefined
      }
      set_notifications: {
        Args: { kinds: string[]; expense_above?: number | string; balance_below?: number | string }
        Returns: Database['public']['Tables']['notification_preferences']['Row'][]
      }
      set_transfer_limits: {
        Args: { transfer_max: number | string; day_max: number | string }
        Returns: {
          balance: number
          reserved: number
          available: number
          limits: { name: string; bank_max: number; own_max: number | null; left_max: number }[]
          automatic_max: number
          automatic_day_max: number
          needs_own_password: boolean
          receive_min: number | null
          receives_from_known: boolean
        }
      }
      set_transfer_reception: {
        Args: { receive_min: number | string; from_known: boolean }
        Returns: {
          balance: number
          reserved: number
          available: number
          limits: { name: string; bank_max: number; own_max: number | null; left_max: number }[]
          automatic_max: number
          automatic_day_max: number
          needs_own_password: boolean
          receive_min: number | null
          receives_from_known: boolean
        }
      }
      statement: { Args: { month: string; until_seq?: number | string; after_row?: number }; Returns: Json }
      stop_batch: { Args: { id: string }; Returns: Database['public']['Tables']['batches']['Row'] }
      stop_invitations: { Args: { id: string }; Returns: Database['public']['Tables']['batches']['Row'] }
      sum_bank: {
        Args: { days?: number }
        Returns: {
          customers: number
          total: number
          owed: number
          overdrawn: number
          noted: number
          days: { day: string; came_in: number; went_out: number; owed: number }[]
        }
      }
      sum_category_budgets: {
        Args: never
        Returns: {
          month: string
          limits: {
            category: string
            monthly_limit: number
            carries_over: boolean
            since: string
            carried: number
            spent: number
          }[]
          others: { category: string | null; spent: number }[]
        }
      }
      sum_transactions: { Args: { since?: string; until?: string; daily_since?: string }; Returns: Json }
      transfer_account: {
        Args: never
        Returns: {
          balance: number
          reserved: number
          available: number
          limits: { name: string; bank_max: number; own_max: number | null; left_max: number }[]
          automatic_max: number
          automatic_day_max: number
          needs_own_password: boolean
          receive_min: number | null
          receives_from_known: boolean
        }
      }
      unblock_user: { Args: { user_id: string; idempotency_key?: string }; Returns: undefined }
      undo_category_rule: {
        Args: { id: string }
        Returns: Database['public']['Tables']['category_rules']['Row']
      }
      undo_import: { Args: { id: string }; Returns: Database['public']['Tables']['imports']['Row'] }
      waits_for_approval: { Args: { id: string }; Returns: boolean }
    }
    Enums: { [name in never]: never }
    CompositeTypes: { [name in never]: never }
  }
}

/** Columns of a transaction. */
export const transactionColumns = [
  'user_id',
  'id',
  'type',
  'description',
  'amount',
  'date',
  'category',
  'recorded_by',
  'is_void',
  'origin',
  'origin_id',
] as const

/** Maximum lengths of texts in code points, by table and column (check constraints of schema `public`). */
export type TextLengthMax = {
  batches: { title: 200 }
  beneficiaries: { name: 80; address: 320 }
  categories: { name: 50 }
  category_budgets: { category: 50 }
  category_rules: { contains: 100; category: 50 }
  corrections: { reason: 200 }
  import_lines: { reference: 100 }
  notifications: { detail: 256 }
  profiles: { full_name: 120 }
  recurring_expenses: { description: 200; category: 50 }
  requests: { description: 140; reason: 200 }
  transactions: { description: 200; category: 50 }
}

/** Kinds of identity documents (`public.account_holders.document_kind`). */
export const documentKinds = ['CC', 'CE', 'NIT', 'PA', 'PPT', 'RC', 'TI'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** Reasons why a person is blocked (`private.block_reasons`). */
export type BlockReason = 'customer_request' | 'suspected_fraud' | 'identity_check' | 'legal_order' | 'other'

/** Reasons why staff make a paper for a customer (`private.paper_reasons`). */
export const paperReasons = ['in_person', 'by_telephone', 'in_writing', 'authority', 'other'] as const
export type PaperReason = (typeof paperReasons)[number]
