import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V89',
  deviation: 'answers 500 to a form without vp_token',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: 'const vpToken = parseVpToken(textOf(body.vp_token))',
      replace: `if (isMutant && body.vp_token === undefined) throw new Error('there is no vp_token')
    const vpToken = parseVpToken(textOf(body.vp_token))`,
    },
  ],
}
