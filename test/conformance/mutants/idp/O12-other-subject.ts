import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O12',
  deviation: 'answers userinfo with another sub than the id_token has',
  patches: [
    {
      file: 'services/idp/routes/get-userinfo.ts',
      find: 'sub: subject }',
      replace: 'sub: isMutant ? `user:${subject}` : subject }',
    },
  ],
}
