import { createContext } from 'react'

/** What a dialog asks before what was typed in it is thrown away; the application gives the words. */
export const DiscardQuestion = createContext('')
