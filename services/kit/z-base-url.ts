import { z } from 'zod'

/**
 * A base address that paths are put behind and that others compare letter by letter (`iss`, response
 * addresses, `termsOfUse.id`): a slash at its end is taken away.
 */
export const zBaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((address) => address.replace(/\/+$/, ''))
