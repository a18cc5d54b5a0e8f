import { z } from 'zod'

/** A text to be stored and shown: not blank, no control characters, no half surrogate pairs. */
export function zPrintableText(longest: number) {
  return z
    .string()
    .max(longest)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      message: 'must be well-formed Unicode without control characters',
    })
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
}
