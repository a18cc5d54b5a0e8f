import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W41',
  deviation: 'passes a redirect_uri beside direct_post over',
  ignoresRules: ['request.redirect-uri'],
}
