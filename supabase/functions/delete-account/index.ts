/** Serves the function `delete-account` on a hosted project. */
import { serve } from '#supabase/functions/_project/serve.ts'

serve('delete-account')
