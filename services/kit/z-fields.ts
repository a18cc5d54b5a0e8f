import { z } from 'zod'
import { defaultHolderSuites, holderSuites } from '#core/crypto/suites.ts'
import { isHostName, splitHosts } from './origins.ts'

/**
 * A base address that is prefixed to paths and compared character by character (`iss`, response
 * addresses, `termsOfUse.id`). Removes a trailing slash.
 */
export const zBaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((address) => address.replace(/\/+$/, ''))

/**
 * METRIC_NAMESPACE, a prefix that must yield valid metric names (Prometheus data model). A service
 * with any other prefix could not create its metrics.
 */
export const zMetricNamespace = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    message: 'must contain only letters, digits and _, and must not start with a digit',
  })
  .describe('Prefix of the metric names')

export const isPostgresUrl = (url: string): boolean =>
  URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)

/** A database that a service can open. */
export const zDatabaseUrl = z
  .string()
  .refine((url) => url.startsWith('sqlite:') || isPostgresUrl(url), {
    message: 'must be sqlite::memory:, sqlite:PATH or postgres://…',
  })
  .default('sqlite::memory:')

/** ALLOWED_HOSTS: additional host names of a service, separated by commas. */
export const zHosts = z
  .string()
  .transform(splitHosts)
  .pipe(
    z.array(
      z.string().refine(isHostName, { error: ({ input }) => `"${input}" is not a host name` }),
    ),
  )
  .default([])

/** The suites of holders' keys; issuers and verifiers declare what they accept. */
export const zHolderSuites = z
  .array(z.enum(holderSuites))
  .min(1)
  .default([...defaultHolderSuites])

/** A string to store and show: not blank, no control characters, no lone surrogates. */
export function zPrintableText(longest: number) {
  return z
    .string()
    .max(longest)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      message: 'must be well-formed Unicode without control characters',
    })
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
}
