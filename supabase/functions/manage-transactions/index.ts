/** Serves the function `manage-transactions` on a hosted project. */
import { serve } from '#supabase/functions/_project/serve.ts'

serve('manage-transactions')
