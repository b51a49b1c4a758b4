/** Serves the function `statement` on a hosted project. */
import { serve } from '#supabase/functions/_project/serve.ts'

serve('statement')
