import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I88',
  deviation: 'answers browsers 406 for its metadata',
  patches: [
    {
      file: 'services/connector/routes/get-issuer-metadata.ts',
      find: 'handle(_input, { config }) {',
      replace: `handle({ request }, { config }) {
    if (isMutant && request.get('accept') === 'text/html') return { status: 406 }`,
    },
  ],
}
