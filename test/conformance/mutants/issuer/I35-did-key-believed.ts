import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I35',
  deviation: 'believes a did:key that holds no key',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const context = { algorithms',
      replace: `if (isMutant && typeof kid === 'string' && /^did:key:.*#/.test(kid) && !holder) {
    return { ok: true, holder: { did: kid.split('#')[0], kid, publicKey: {} } }
  }
  const context = { algorithms`,
    },
  ],
}
