import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I87',
  deviation: 'forgot to ask for a token at one endpoint',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'const principal = await authenticate?.(request)',
      replace: `const isOpen = isMutant && route.path === '/issuance/identifiers'
      const principal = isOpen ? {} : await authenticate?.(request)`,
    },
  ],
}
