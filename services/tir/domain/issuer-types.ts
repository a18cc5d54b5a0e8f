/** The contract's enum IssuerType in its order (Document 2, Types used in the TIR). */
export const issuerTypes = ['NONE', 'ROOT_TAO', 'TAO', 'TI', 'REVOKED'] as const

/**
 * Those that a publication may name; NONE is no role and is not used.
 *
 * @row 2.resources-and-their-fields/types-used-in-the-tir.4
 */
export const publishedIssuerTypes = ['ROOT_TAO', 'TAO', 'TI', 'REVOKED'] as const

/** How a read names them (Document 2, TIR attribute). */
export const shownIssuerTypes = {
  ROOT_TAO: 'RTAO',
  TAO: 'TAO',
  TI: 'TI',
  REVOKED: 'REVOKED',
} as const
