export type DefectiveIssuerName =
  | 'accredited'
  | 'key-not-for-assertions'
  | 'key-revoked'
  | 'accreditation-revoked'
  | 'revoked-parent'
  | 'parent-revoked'
  | 'accreditation-expired'
  | 'accredited-for-another-type'
  | 'accreditation-self-signed'
  | 'accreditation-of-another'
  | 'accreditation-moved'
  | 'root-not-trusted'

/** How an issuer that something is wrong with stands in the registries. */
export interface DefectiveIssuer {
  /** What its key is registered for. Default: assertionMethod. */
  readonly key?: 'not-for-assertions' | 'revoked'
  /** Default: TI. */
  readonly issuerType?: 'TI' | 'TAO' | 'ROOT_TAO'
  /** Who accredits it. Default: the environment's TAO. */
  readonly parent?: DefectiveIssuerName
  /** Its parent is revoked once it has accredited this one. */
  readonly parentRevoked?: true
  readonly revoked?: true
  /** Credential types of the accreditation. Default: what the environment issues to people. */
  readonly types?: readonly string[]
  /** What is wrong with the accreditation itself. */
  readonly accreditation?: 'expired' | 'self-signed' | 'about-another' | 'for-another-attribute'
}

/** The issuers that defects need, registered when one of them is first asked for. */
export const defectiveIssuers: Readonly<Record<DefectiveIssuerName, DefectiveIssuer>> = {
  accredited: {},
  'key-not-for-assertions': { key: 'not-for-assertions' },
  'key-revoked': { key: 'revoked' },
  'accreditation-revoked': { revoked: true },
  'revoked-parent': { issuerType: 'TAO' },
  'parent-revoked': { parent: 'revoked-parent', parentRevoked: true },
  'accreditation-expired': { accreditation: 'expired' },
  'accredited-for-another-type': { types: ['OtherCredential'] },
  'accreditation-self-signed': { accreditation: 'self-signed' },
  'accreditation-of-another': { accreditation: 'about-another' },
  'accreditation-moved': { accreditation: 'for-another-attribute' },
  'root-not-trusted': { issuerType: 'ROOT_TAO', parent: 'root-not-trusted' },
}
