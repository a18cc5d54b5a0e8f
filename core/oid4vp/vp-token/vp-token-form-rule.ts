import type { Rule } from '#core/verification/evaluate-rules.ts'
import { parseVpToken } from './parse-vp-token.ts'

/**
 * What the field vp_token has to hold before a presentation can be judged at all (Document 1,
 * Endpoint a verifier exposes to the wallet).
 */
export const vpTokenFormRule: Rule<unknown> = {
  rule: 'presentation.form',
  statement: 'vp_token is one presentation as a JWT.',
  path: 'vp_token',
  evaluate: (vpToken, { fail }) => {
    if (typeof vpToken === 'string') {
      if (!parseVpToken(vpToken)) fail('it is no JWT')
    } else if (Array.isArray(vpToken)) fail('it is a list')
    else if (typeof vpToken === 'object' && vpToken !== null) {
      fail('it is an object, as later revisions send it, with the ids of the query as names')
    } else fail('it is no text')
  },
}
