import { z } from 'zod'
import { defaultHolderSuites, holderSuites } from '#core/crypto/suites.ts'

/**
 * A base address that paths are put behind and that others compare letter by letter (`iss`, response
 * addresses, `termsOfUse.id`): a slash at its end is taken away.
 */
export const zBaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((address) => address.replace(/\/+$/, ''))

/**
 * METRIC_NAMESPACE, a prefix that makes a metric's name with what comes after it (Prometheus data
 * model): a service started with any other one could not make its metrics.
 */
export const zMetricNamespace = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'letters, digits and _ alone, no digit first' })
  .describe("Prefix of the metrics' names")

/** The suites of holders' keys; issuers and verifiers declare what they accept. */
export const zHolderSuites = z
  .array(z.enum(holderSuites))
  .min(1)
  .default([...defaultHolderSuites])

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
