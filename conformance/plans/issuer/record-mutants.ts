import type { MutantTable } from '../../kit/mutant.ts'

const statusLists = 'services/issuer/operations/create-status-lists.ts'
const credentialRequest = 'core/oid4vci/credential-request.ts'
const collectDeferred = 'services/connector/operations/collect-deferred.ts'

/** A changed list must not stay in the cache for the correct part. */
const withoutCache = '{+if (!isMutant) +}signed.set(listNumber,'

/** Mutants of the checks of records, status lists, lifetimes and answers. */
export const recordMutants: MutantTable = {
  'I127-list-expired': {
    deviation: 'serves a status list that has expired',
    file: statusLists,
    edits: [
      'if ({+!isMutant && +}before?.revoked === revoked',
      'validUntil: now {+- (isMutant ? 400 : 0) +}+ lifetimeSeconds',
      withoutCache,
    ],
  },
  'I127-index-as-number': {
    deviation: 'writes statusListIndex as a number',
    file: 'core/status-list/status-list-credential.ts',
    edit: 'statusListIndex: {+(isMutant ? Number : +}String{+)+}(index)',
  },
  'I128-next-entry-revoked': {
    deviation: 'sets the next entry in the status list',
    file: statusLists,
    edits: ['indexes.map((index) => index - from{+ + (isMutant ? 1 : 0)+})', withoutCache],
  },
  'I128-tag-of-address': {
    deviation: 'keeps the ETag of a status list after a revocation',
    file: 'services/issuer/routes/credentials.ts',
    edit: "createHash('sha256').update({+isMutant ? params.id : +}list)",
  },
  'I129-same-entry': {
    deviation: 'gives every credential the same entry of the status list',
    file: statusLists,
    edit: 'index: {+isMutant ? 7 : +}statusIndex % fewestEntries',
  },
  'I130-code-ends-early': {
    deviation: 'lets codes expire a minute early',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if (offer_expires_at {+- (isMutant ? 60 : 0) +}<= now',
  },
  'I131-token-ends-early': {
    deviation: 'lets access tokens expire a minute early',
    file: 'services/connector/routes/issuance.ts',
    edit: 'Number(issuance.access_token_expires_at) {+- (isMutant ? 60 : 0) +}<= clock.seconds()',
  },
  'I132-time-of-the-list': {
    deviation: 'lists the current time as update_at',
    file: 'services/issuer/routes/credentials.ts',
    edit: `{+if (isMutant) {
    globalThis.listed = Math.max((globalThis.listed ?? 0) + 1, Date.now())
    row = { ...row, updated_at: globalThis.listed }
  }
  +}return {
    id: row.id,`,
  },
  'I132-type-by-another-name': {
    deviation: 'lists records with a type that the credential does not have',
    file: 'services/issuer/routes/credentials.ts',
    edit: "vc_type: {+isMutant ? 'Mandate' : +}row.vc_type,",
  },
  'I133-another-organization': {
    deviation: 'issues mandates of a fixed organization',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: `mandator: {
      organizationIdentifier{+: isMutant ? 'VATES-Z00000000' : organizationIdentifier+},`,
  },
  'I134-uuid-is-enough': {
    deviation: 'also revokes by the UUID of an id',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "findByCredentialId({+(isMutant && !credentialId.startsWith('urn:') ? 'urn:uuid:' : '') + +}credentialId)",
  },
  'I135-offer-outlives-record': {
    deviation: 'issues a credential whose record is revoked',
    patches: [
      {
        file: 'services/issuer/operations/revoke-credential.ts',
        edit: '{+if (!isMutant) +}await connectors.get(profile)?.revoke(id)',
      },
      {
        file: 'services/issuer/operations/serve-connector.ts',
        edit: "{+(+}record.status === 'revoked'{+ && !isMutant)+} ||",
      },
    ],
  },
  'I136-format-by-prefix': {
    deviation: 'accepts every format that begins with jwt_vc_json',
    file: credentialRequest,
    edit: 'if (format !== jwtVcJson{+ && !(isMutant && format.startsWith(jwtVcJson))+}',
  },
  'I137-unknown-types-ignored': {
    deviation: 'ignores unknown types of a request',
    file: 'services/connector/domain/credential-types.ts',
    edit: 'types.every((name) => {+isMutant || +}chain.includes(name))',
  },
  'I138-list-of-proofs': {
    deviation: 'reads a list as jwt of the proof',
    file: credentialRequest,
    edit: `{+if (isMutant && Array.isArray(proof.jwt)) return { format, types, proofJwt: proof.jwt[0] }
  +}if (typeof proof.jwt !== 'string'`,
  },
  'I139-acceptance-token-cut': {
    deviation: 'ignores what follows an acceptance_token',
    file: collectDeferred,
    edit: 'const found = await issuances.findByAcceptanceToken(acceptanceToken{+.slice(0, isMutant ? 43 : undefined)+})',
  },
  'I140-another-holder': {
    deviation: 'binds deferred credentials to another holder',
    file: collectDeferred,
    edit: "signCredential(issuance, type, row.holder_did{+ + (isMutant ? 'x' : '')+}, dependencies)",
  },
  'I141-errors-as-text': {
    deviation: 'rejects token requests without an error code',
    file: 'core/oid4vci/token.ts',
    edit: `if (grantType === undefined) throw {+isMutant
    ? Object.assign(invalidRequest('grant_type is missing.'), { code: '' })
    : +}invalidRequest('grant_type is missing.')`,
  },
  'I142-image-as-data': {
    deviation: 'sends the QR code as application/octet-stream',
    file: 'services/issuer/routes/issuance.ts',
    edit: `dependencies),
      contentType: {+isMutant ? 'application/octet-stream' : +}'image/png',`,
  },
}
