import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V93',
  deviation: 'answers 400 to what it can not read',
  patches: [
    {
      file: 'services/verifier/routes/post-response.ts',
      find: 'const reason = isOpen ?',
      replace: `if (isMutant && isOpen) return { status: 400, body: { error: 'invalid_request' } }
      const reason = isOpen ?`,
    },
  ],
}
