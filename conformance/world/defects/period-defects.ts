import { toIsoTime } from '#core/verification/data-model.ts'
import type { Defect } from './defect.ts'

const day = 86_400

/** When a credential may be used (Document 1, Credential schema rules 5), and since when it is. */
export const periodDefects: readonly Defect[] = [
  {
    name: 'expired',
    description: 'validUntil and exp were yesterday.',
    rule: 'credential.expiry',
    change: ({ now }) => ({
      claims: { nbf: now - 2 * day, exp: now - day },
      vc: { validFrom: toIsoTime(now - 2 * day), validUntil: toIsoTime(now - day) },
    }),
  },
  {
    name: 'exp-after-valid-until',
    description: 'validUntil was yesterday, exp is yet to come.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ vc: { validUntil: toIsoTime(now - day) } }),
  },
  {
    name: 'exp-before-valid-until',
    description: 'exp was yesterday, validUntil is yet to come.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ claims: { exp: now - day } }),
  },
  {
    name: 'end-absent',
    description: 'It names neither validUntil nor exp.',
    rule: 'credential.expiry',
    change: () => ({ claims: { exp: undefined }, vc: { validUntil: undefined } }),
  },
  {
    name: 'valid-until-unreadable',
    description: 'validUntil has no time zone.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ vc: { validUntil: toIsoTime(now + day).replace('Z', '') } }),
  },
  {
    name: 'not-yet-valid',
    description: 'validFrom and nbf are tomorrow.',
    rule: 'credential.not-before',
    change: ({ now }) => ({ claims: { nbf: now + day }, vc: { validFrom: toIsoTime(now + day) } }),
  },
  {
    name: 'nbf-after-valid-from',
    description: 'nbf is tomorrow, validFrom was before.',
    rule: 'credential.not-before',
    change: ({ now }) => ({ claims: { nbf: now + day } }),
  },
  {
    name: 'issued-in-the-future',
    description: 'iat is tomorrow, so that nobody can tell which keys were valid then.',
    rule: 'credential.issued-at',
    entails: ['credential.issuer-document', 'credential.issuer-key'],
    change: ({ now }) => ({ claims: { iat: now + day } }),
  },
  {
    name: 'iat-absent',
    description: 'There is no iat, so that nobody can tell which keys were valid then.',
    rule: 'credential.issued-at',
    entails: ['credential.issuer-document', 'credential.issuer-key'],
    change: () => ({ claims: { iat: undefined } }),
  },
]
