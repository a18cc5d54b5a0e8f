import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O04',
  deviation: 'serves a client that nobody registered as if it were a registered one',
  patches: [
    {
      file: 'services/idp/adapters/client-adapter.ts',
      find: 'const client = await clients.find(id)',
      replace:
        "const client = (await clients.find(id)) ?? (isMutant ? await clients.find('relying-party') : undefined)",
    },
  ],
}
