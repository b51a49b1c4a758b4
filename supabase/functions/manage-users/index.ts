/** Serves the function `manage-users` on a hosted project. */
import { serve } from '#supabase/functions/_project/serve.ts'

serve('manage-users')
