import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V02',
  deviation: 'serves a request only once',
  patches: [
    {
      file: 'services/verifier/routes/get-request.ts',
      find: 'if (!session) throw unknownSession()',
      replace: `const served = (globalThis.servedRequests ??= new Set())
    if (!session || (isMutant && served.has(params.id))) throw unknownSession()
    served.add(params.id)`,
    },
  ],
}
