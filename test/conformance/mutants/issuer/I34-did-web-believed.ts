import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I34',
  deviation: 'believes a did:web without having resolved it',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const context = { algorithms',
      replace: `if (isMutant && typeof kid === 'string' && kid.startsWith('did:web:')) {
    return { ok: true, holder: { did: kid.split('#')[0], kid, publicKey: {} } }
  }
  const context = { algorithms`,
    },
  ],
}
