import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I25',
  deviation: 'issues a credential that is bound to no key where no proof is sent',
  patches: [
    {
      file: 'core/oid4vci/credential-request/parse-credential-request.ts',
      find: 'if (!isObject(proof)) throw',
      replace: `if (isMutant && proof === undefined) return { format, types, proofJwt: '' }
  if (!isObject(proof)) throw`,
    },
    {
      file: 'services/connector/routes/post-credential.ts',
      find: 'const holderDid = await verifyProof(request, issuance, dependencies)',
      replace: `const holderDid =
      isMutant && request.proofJwt === ''
        ? 'did:key:nobody'
        : await verifyProof(request, issuance, dependencies)`,
    },
  ],
}
